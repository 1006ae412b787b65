import { dottedTokenFrom } from './dotted-token.ts';
import { hasMark } from './secret-marks.ts';
import { namesSecretProgram } from './secret-programs.ts';
import type { Redacted } from './secret-span.ts';

/** Longer texts are shown to the detectors at once: these look through them faster. */
const MAX_LOOKED_AT = 16_384;

/**
 * Replaces every secret by `[redacted:<name>]`, and says which detectors found one. Linear; a few milliseconds for 1 MB. Most
 * texts lack the beginning of any secret, so the detectors are loaded for those that have one.
 * @param detectors names of detectors, `secrets` for all of secrets, `personal` for all of personal data
 * @throws {Error} for a name that is no detector, so that nothing passes by mistake.
 */
export function redactSecrets(text: string, detectors?: readonly string[]): Redacted {
  if (detectors === undefined && !mayHoldSecret(text)) return { text, found: [] };
  const { redactBy } = require('./detectors.ts') as typeof import('./detectors.ts');
  return redactBy(text, detectors);
}

/** False if no detector can match. False for joined lines means false for each, because patterns do not cross line breaks. */
export function mayHoldSecret(text: string): boolean {
  if (text.length > MAX_LOOKED_AT) return true;
  return hasMark(text) || dottedTokenFrom(text, 0) !== -1 || namesSecretProgram(text);
}
