import type { ArithmeticCommandExpansion, CommandExpansionPart, ProcessSubstitutionPart } from 'unbash';
import { trimEnd } from '../../../lib/trim-end.ts';
import type { Via } from '../../reading/reading.ts';
import {
  EMPTY_WORD,
  eitherText,
  originsOf,
  unknownWord,
  type Word,
  type WordPart,
  withoutZeros,
} from '../../reading/word.ts';
import { spanIn } from '../parse/source.ts';
import { newFlow, outcomeOf } from '../scope/flow.ts';
import type { Frame } from '../scope/interpreter.ts';
import { ignoringErrexit } from '../scope/run-certainty.ts';
import { newScope } from '../scope/scope.ts';
import type { Expansion } from './expansion.ts';

/** How often the parser goes over a substitution before its commands are known, and again for each one inside. */
const REREAD = 3;

/** Steps that a substitution costs beside its commands. */
const NESTED_STEPS = 2;

const MAX_SOURCE_CHARS = 80;

/** Runs `$( )` or backticks; returns the output without final newlines. */
export function substitute(
  part: CommandExpansionPart | ArithmeticCommandExpansion,
  expansion: Expansion,
): Word {
  const known = expansion.printed.get(part);
  if (known !== undefined) return known;
  const printed = trimmed(runNested(part, 'substitution', '$( )', undefined, expansion));
  const word = printed.length === 1 && printed[0]?.type === 'unknown' ? named(printed, part.text) : printed;
  expansion.printed.set(part, word);
  return word;
}

/** Runs `<( )` or `>( )`; the word that replaces it has its content in `interpreter.contents`. */
export function processSubstitution(part: ProcessSubstitutionPart, expansion: Expansion): Word {
  const known = expansion.printed.get(part);
  if (known !== undefined) return known;
  // A script writes to it mostly the input of the command: `tee >(sh)`.
  const given = expansion.input ?? EMPTY_WORD;
  const input = part.operator === '>' ? eitherText(given, unknownWord('what is written to it')) : undefined;
  const content = runNested(part, 'process_substitution', `${part.operator}( )`, input, expansion);
  const placeholder: WordPart = {
    type: 'unknown',
    source: short(part.text),
    variable: undefined,
    splits: false,
    origins: originsOf(content),
  };
  if (part.operator === '<') expansion.interpreter.contents.set(placeholder, content);
  else expansion.interpreter.contents.set(placeholder, EMPTY_WORD);
  expansion.printed.set(part, [placeholder]);
  return [placeholder];
}

type Nested = CommandExpansionPart | ArithmeticCommandExpansion | ProcessSubstitutionPart;

function runNested(
  part: Nested,
  kind: Via['kind'],
  name: string,
  input: Word | undefined,
  expansion: Expansion,
): Word {
  const { source, interpreter } = expansion;
  interpreter.seen.add(part);
  const span = spanIn(source, part.pos, part.end);
  interpreter.budget.steps -= NESTED_STEPS;
  if (!interpreter.enter(expansion, span, part.text.length * REREAD)) return unknownWord(short(part.text));
  const { script } = part;
  if (script === undefined) {
    interpreter.gap('syntax', span, `Cannot read "${short(part.text)}"`);
    return unknownWord(short(part.text));
  }
  // A comment hides the end from the parser, which counts the parentheses of a sum first.
  if (part.text.startsWith('$((') && /\s#/.test(part.text))
    interpreter.gap('syntax', span, `Cannot read the comment in "${short(part.text)}"`);
  const error = script.errors?.[0];
  if (error !== undefined)
    interpreter.gap('syntax', span, `Cannot read "${short(part.text)}" to its end: ${error.message}`);
  const { flow } = expansion;
  const inside = newFlow(flow.known);
  const nested: Frame = {
    ...expansion,
    flow: inside,
    // A shell takes no `set -e` along into it.
    runCertainty: ignoringErrexit(expansion.runCertainty),
    source:
      script.source === undefined
        ? source
        : { text: script.source, placeholders: source.placeholders, offset: undefined, span },
    scope: newScope('subshell', expansion.scope),
    choices: undefined,
    input: input ?? expansion.input,
    via: [...expansion.via, { kind, name }],
    captured: true,
    substitutions: expansion.substitutions + 1,
    depth: expansion.depth + 1,
    scriptDepth: expansion.scriptDepth + 1,
  };
  const printed = interpreter.runStatements(script.commands, nested);
  if (kind === 'substitution') flow.substituted = outcomeOf(inside, flow.known);
  return printed;
}

/** The text that a shell takes of an output: no zero bytes, and no final newlines. */
function trimmed(printed: Word): Word {
  const word = withoutZeros(printed);
  const last = word.at(-1);
  if (last?.type !== 'text' || !last.text.endsWith('\n')) return word;
  const text = trimEnd(last.text, '\n');
  return text === '' ? word.slice(0, -1) : [...word.slice(0, -1), { type: 'text', text }];
}

/** An output of which nothing is known, under the name of the substitution that printed it. */
function named(word: Word, text: string): Word {
  return word.map((part) => (part.type === 'unknown' ? { ...part, source: short(text) } : part));
}

function short(text: string): string {
  return text.length > MAX_SOURCE_CHARS ? `${text.slice(0, MAX_SOURCE_CHARS)}…` : text;
}
