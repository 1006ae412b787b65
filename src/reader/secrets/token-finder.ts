import { checkTime } from '../../lib/time-limit.ts';
import { isSecretName } from './secret-name.ts';
import { isPlaceholder, type SecretFinder, type SecretSpan } from './secret-span.ts';

/** The form of tokens of a kind: a row of `programs/secrets/tokens.yaml`. */
export interface TokenForm {
  /** Parted by blanks. */
  readonly starts: string;
  /** How many characters a token begins before these. */
  readonly before?: number;
  readonly form: string;
  readonly owner?: string;
}

/** Finds tokens of a form, not amid a word, in linear time. The pattern is compiled once a possible start has been found. */
export function tokenFinder({ starts, before = 0, form, owner }: TokenForm): SecretFinder {
  const marks = starts.split(' ');
  let pattern: RegExp | undefined;
  function find(text: string): readonly SecretSpan[] {
    const spans: SecretSpan[] = [];
    pattern ??= new RegExp(form, 'y');
    for (const mark of marks) {
      for (let at = text.indexOf(mark); at !== -1; ) {
        checkTime();
        const start = at - before;
        const span = start < 0 || isAmidWord(text, start) ? undefined : spanAt(text, start, pattern);
        if (span !== undefined && !isFiller(text, span)) spans.push(span);
        at = text.indexOf(mark, Math.max(span?.end ?? 0, at + mark.length));
      }
    }
    return spans;
  }

  const literals = marks.map((mark) => mark.toLowerCase());
  return { literals, ...(/\\s| /.test(form) ? {} : { mark: 'run' }), owner, find };
}

/** `ghp_xxxxxxxxxxxx`, as documentation has it: the same character to the end. */
function isFiller(text: string, { start, end }: SecretSpan): boolean {
  return /([xX*.0])\1{11}$/.test(text.slice(Math.max(start, end - 16), end));
}

/** `https://user:password@host`: the password. */
export const URL_PASSWORDS: SecretFinder = {
  literals: ['://', '@tcp('],
  beside: '@',
  find: findUrlPasswords,
};

function findUrlPasswords(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const add = (span: SecretSpan | undefined) => {
    if (span !== undefined && !isPlaceholder(text.slice(span.start, span.end))) spans.push(span);
  };
  // A password may have an `@` of its own.
  const userInfo = /:\/\/[^\s/@:"'`<>[]{0,128}:([^\s/"'`<>]{1,256})(?=@)/y;
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 1)) {
    checkTime();
    add(spanAt(text, at, userInfo));
  }
  // `user:password@tcp(host)`, as drivers of Go have it.
  for (let at = text.indexOf('@tcp('); at !== -1; at = text.indexOf('@tcp(', at + 1)) {
    checkTime();
    const login = /(?:^|[\s"'`=])[\w.-]{1,64}:([^\s"'`<>]{1,128})$/.exec(
      text.slice(Math.max(0, at - 200), at),
    );
    if (login !== null) add({ start: at - (login[1] ?? '').length, end: at });
  }
  return spans;
}

function spanAt(text: string, at: number, sticky: RegExp): SecretSpan | undefined {
  sticky.lastIndex = at;
  const match = sticky.exec(text);
  if (match === null) return undefined;
  const end = at + match[0].length;
  return { start: end - (match[1] ?? match[0]).length, end };
}

/** In JSON text `\n` may be before a word, and `__` separates the parts of a tool's name. */
function isAmidWord(text: string, at: number): boolean {
  if (at === 0 || !/[A-Za-z0-9_-]/.test(text.charAt(at - 1))) return false;
  if (text.startsWith('__', at - 2)) return false;
  return !(text.charAt(at - 2) === '\\' && 'nrt'.includes(text.charAt(at - 1)));
}

/** A row of `programs/secrets/tokens.yaml` that shows a secret by the words before it. The group of the form is the secret. */
export interface PhraseForm {
  readonly with: readonly string[];
  readonly beside?: string;
  readonly form: string;
  /** The forms that the secret has, and those that it has not, in any letter case. */
  readonly fits?: string;
  readonly unless?: string;
}

/** Finds secrets by the words before them, whichever program they are for. */
export function phraseFinder({ with: literals, beside, form, fits = '', unless }: PhraseForm): SecretFinder {
  const find = (text: string) =>
    [...text.matchAll(new RegExp(form, 'g'))].flatMap(({ 0: whole, 1: value = '', index }) => {
      const isOther = unless !== undefined && new RegExp(unless, 'i').test(value);
      if (isOther || isPlaceholder(value) || isSecretName(value) || !new RegExp(fits).test(value)) return [];
      const end = index + whole.length;
      return [{ start: end - value.length, end }];
    });
  return { literals, beside, find };
}
