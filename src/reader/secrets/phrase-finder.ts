import { isSecretName } from './secret-name.ts';
import { isPlaceholder, type SecretFinder } from './secret-span.ts';

/** What shows a secret by the words before it: a row of `programs/secrets/tokens.yaml`. The group of the form is the secret. */
export interface PhraseForm {
  readonly with: readonly string[];
  readonly form: string;
  /** What the secret is like, and what it is not, in any letter case. */
  readonly fits?: string;
  readonly unless?: string;
}

/** Finds what the words before it show to be a secret, whichever program it is for. */
export function phraseFinder({ with: literals, form, fits = '', unless }: PhraseForm): SecretFinder {
  const find = (text: string) =>
    [...text.matchAll(new RegExp(form, 'g'))].flatMap(({ 0: whole, 1: value = '', index }) => {
      const isOther = unless !== undefined && new RegExp(unless, 'i').test(value);
      if (isOther || isPlaceholder(value) || isSecretName(value) || !new RegExp(fits).test(value)) return [];
      const end = index + whole.length;
      return [{ start: end - value.length, end }];
    });
  return { literals, find };
}
