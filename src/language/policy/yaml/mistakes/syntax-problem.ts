import { YamlProblem } from '../yaml-problem.ts';
import { afterBracketProblem, commaProblem, openProblem } from './brackets.ts';
import { misplacedProblem, tabProblem } from './indentation.ts';
import { keyProblem } from './keys.ts';
import { type Stop, stopAt } from './stop.ts';
import {
  afterQuoteProblem,
  blockMarkProblem,
  characterProblem,
  colonProblem,
  escapeProblem,
  firstCharacterProblem,
} from './texts.ts';

/** How deep lists and mappings may lie in each other. */
export const MAX_DEPTH = 100;

/** Possible mistakes behind a message of the parser; the first that applies counts. */
type Mistakes = readonly ((stop: Stop) => YamlProblem | undefined)[];

/** The mistakes of a person behind a part of the parser's reason, most telling first. */
const MISTAKES: readonly (readonly [string, Mistakes])[] = [
  ['tab characters', [tabProblem]],
  ['deficient indentation', [tabProblem, openProblem]],
  ['unexpected end of the', [openProblem]],
  ['escape sequence', [escapeProblem]],
  ['hexadecimal', [escapeProblem]],
  ['non-printable', [characterProblem]],
  ['null byte', [characterProblem]],
  ['valid JSON character', [characterProblem]],
  ['a line break is expected', [blockMarkProblem]],
  ['name of an a', [firstCharacterProblem]],
  [
    'comma',
    [
      firstCharacterProblem,
      (stop) => (isKeyAlone(stop) ? commaProblem(atKey(stop)) : undefined),
      (stop) => colonProblem(stop, true),
      (stop) => afterQuoteProblem(stop, true),
      commaProblem,
    ],
  ],
  ["but found ','", [commaProblem]],
  [
    'bad indentation',
    [
      tabProblem,
      firstCharacterProblem,
      misplacedProblem,
      afterBracketProblem,
      (stop) => (isKeyAlone(stop) ? keyProblem(stop) : undefined),
      (stop) => afterQuoteProblem(stop, false),
      (stop) => colonProblem(stop, false),
    ],
  ],
  ['multiline key', [keyProblem]],
  ["expected ':'", [keyProblem]],
  ['whitespace character', [keyProblem]],
  ['separator is expected', [fenceProblem, afterBracketProblem, misplacedProblem, keyProblem]],
  ['maxDepth', [depthProblem]],
];

/** Why the parser gave up on a text, in the author's words; in the parser's where it is none of the usual mistakes. */
export function syntaxProblem(text: string, reason: string, offset: number): YamlProblem {
  const stop = stopAt(text, offset);
  for (const [part, mistakes] of MISTAKES) {
    if (!reason.includes(part)) continue;
    for (const mistake of mistakes) {
      const problem = mistake(stop);
      if (problem !== undefined) return problem;
    }
  }
  return new YamlProblem(`Cannot read YAML: ${reason}`, offset, offset + 1);
}

/** At the colon of a key that looks like one of its own: the fault is before its line. */
function isKeyAlone({ char, before }: Stop): boolean {
  return char === ':' && /^ *(?:- +)*["']?[\w.-]+["']?$/.test(before);
}

/** The beginning of the key whose colon the parser stopped at. */
function atKey({ text, offset, before }: Stop): Stop {
  return stopAt(text, offset - before.trimStart().length);
}

/** The fence around a file that was copied from Markdown. */
function fenceProblem({ offset, line, before }: Stop): YamlProblem | undefined {
  const fence = before.trim() === '' ? /^ *(```.*)/.exec(line.text)?.[1]?.trimEnd() : undefined;
  if (fence === undefined) return undefined;
  const message = 'Cannot read this line: a fence of three backticks is no YAML';
  const fix = { at: offset, with: '#' };
  return new YamlProblem(message, offset, offset + fence.length, 'remove the line', fix);
}

function depthProblem({ offset }: Stop): YamlProblem {
  const message = 'Cannot read the file: its lists and mappings lie too deep in each other';
  return new YamlProblem(message, offset, offset + 1, `nest at most ${MAX_DEPTH} levels`);
}
