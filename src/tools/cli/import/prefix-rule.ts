import { quotedWord } from '../../../lib/command-argument.ts';
import type { Decision, ImportedRule } from './imported.ts';

const DECISIONS: Readonly<Record<string, Decision>> = { forbidden: 'deny', prompt: 'ask', allow: 'allow' };

/** A rule of Codex CLI about the first words of a command, or why it is none. */
export function prefixRule(
  words: readonly (readonly string[])[],
  decided: unknown,
  reason: unknown,
): Pick<ImportedRule, 'decision' | 'subject' | 'reason'> | string {
  const decision =
    typeof decided === 'string' && Object.hasOwn(DECISIONS, decided) ? DECISIONS[decided] : undefined;
  if (decision === undefined) return 'its decision is none of forbidden, prompt and allow';
  if (words.flat().some((word) => /[*?]/.test(word)))
    return 'a * in it means itself, which a policy cannot say';
  return {
    decision,
    subject: {
      kind: 'command',
      pattern: { words, rest: true, glob: `${words.map(([word = '']) => quotedWord(word)).join(' ')} *` },
    },
    reason: typeof reason === 'string' && reason.trim() !== '' ? reason : undefined,
  };
}
