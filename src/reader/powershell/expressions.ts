import { boundedWord, takeChars, takeStep } from '../reading/bounds.ts';
import { fillPlaceholders } from '../reading/placeholders.ts';
import {
  joinAll,
  joinList,
  joinWords,
  knownChars,
  knownText,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
} from '../reading/word.ts';
import { cwdOf, positionalOf, variableOf } from '../shell/scope/scope.ts';
import { readMember } from './members.ts';
import { environmentWord, placeWord } from './outside-names.ts';
import { objectsOf, objectWord } from './runtime-objects.ts';
import type { PsFrame, Value } from './state.ts';
import type { Expression } from './syntax.ts';
import {
  boundedValue,
  derived,
  joinedValues,
  knownTexts,
  knownValue,
  listValue,
  unknownValue,
} from './values.ts';

/** The value of an expression. Commands that it runs on the way are read. */
export function readExpression(expression: Expression, at: PsFrame): Value {
  const { budget } = at.interpreter;
  if (!takeStep(budget)) return unknownValue('an expression');
  const value = readValue(expression, at);
  // The text of a made value is copied.
  const isMade = expression.type === 'joined' || expression.type === 'binary' || expression.type === 'list';
  if (!isMade) return value;
  const chars = value.reduce((sum, word) => sum + knownChars(word), 0);
  return takeChars(budget, chars >> 2) ? value : unknownValue('an expression');
}

function readValue(expression: Expression, at: PsFrame): Value {
  const read = (part: Expression) => readExpression(part, at);
  switch (expression.type) {
    case 'text':
      return [fillPlaceholders(expression.text, at.source.placeholders)];
    case 'joined':
      return joinedValues(expression.parts.map((part) => joinedPart(read(part))));
    case 'variable':
    case 'splat':
      return variableValue(expression.name, at);
    case 'list':
      return listValue(expression.items.flatMap(read));
    case 'statements':
      return at.read.statements(expression.body, { ...at, captured: true, input: undefined });
    case 'block':
      // Blocks with other texts are others.
      return [
        objectWord(
          `{${expression.text.slice(0, SHOWN_CHARS)}}`,
          { type: 'block', block: expression.block, text: expression.text },
          at,
        ),
      ];
    case 'table': {
      const entries = new Map<string, Value>();
      for (const [key, value] of expression.entries)
        entries.set(
          (knownValue(read(key)) ?? '').toLowerCase(),
          at.read.statements([value], { ...at, captured: true }),
        );
      return [tableWord(entries, at)];
    }
    case 'type':
      return [textWord(`[${expression.name}]`)];
    case 'cast':
      return castValue(expression.to, read(expression.value), at);
    case 'unary':
      return unaryValue(expression.operator, read(expression.value));
    case 'binary':
      return binaryValue(expression.operator, read(expression.left), read(expression.right));
    case 'choice':
      read(expression.condition);
      return boundedValue([...read(expression.then), ...read(expression.otherwise)]);
    case 'member':
      return readMember(expression, at);
    case 'index':
      return indexValue(read(expression.of), read(expression.at), at);
    default:
      return expression satisfies never;
  }
}

const SHOWN_CHARS = 60;

/** A list within a text becomes its items; the output of a program loses its last line end. */
function joinedPart(value: Value): Value {
  return value.map((word) => withoutLineEnd(word));
}

function withoutLineEnd(word: Word): Word {
  const last = word.at(-1);
  if (last?.type !== 'text' || !last.text.endsWith('\n')) return word;
  return joinWords(word.slice(0, -1), textWord(last.text.slice(0, -1)));
}

function tableWord(entries: ReadonlyMap<string, Value>, at: PsFrame): Word {
  const thing = { type: 'table', entries } as const;
  const shown = objectWord('@{ }', thing, at);
  return boundedWord(
    joinList([...shown.map((part) => [part]), ...[...entries].flatMap(([, value]) => value)]),
  );
}

const CONSTANTS: Readonly<Record<string, string>> = { true: 'True', false: 'False' };

/** The value of a variable: `env:x`, `home`, one that the script sets. */
export function variableValue(name: string, at: PsFrame): Value {
  if (name === 'null') return [];
  const constant = CONSTANTS[name];
  if (constant !== undefined) return [textWord(constant)];
  const environment = /^env:(.*)$/s.exec(name)?.[1];
  const set = variableOf(at.scope, environment === undefined ? name : environment.toUpperCase());
  if (set !== undefined) return set.elements ?? set.arrays?.flat() ?? set.values;
  if (environment !== undefined) return [environmentWord(environment, `$env:${environment}`)];
  if (/^[a-z]:[\\/]/.test(name)) return at.read.cmdlet('get-content', [textWord(name)], at);
  if (/^(?:function|alias):/.test(name)) return [unknownWord(`\${${name}}`)];
  switch (name) {
    case 'home':
      return [placeWord('~')];
    case 'pwd':
    case 'psscriptroot':
      return [cwdOf(at.scope)];
    case 'profile':
      return [placeWord('~/Documents/PowerShell/Microsoft.PowerShell_profile.ps1')];
    case 'args':
      return positionalOf(at.scope) ?? [{ ...unknownWord('$args')[0], splits: true } as never];
    case 'input':
      return at.input === undefined ? [] : [at.input];
    case 'pid':
      return [unknownWord('$PID')];
    case '?':
    case 'lastexitcode':
    case 'error':
    case 'matches':
    case 'psversiontable':
    case 'host':
    case 'myinvocation':
    case 'psboundparameters':
    case 'iswindows':
    case 'islinux':
    case 'ismacos':
      return [unknownWord(`$${name}`)];
    default:
      return [outsideVariable(name)];
  }
}

function castValue(to: string, value: Value, at: PsFrame): Value {
  if (to === 'char') return value.map((word) => charOf(word));
  if (to === 'char[]') {
    const texts = knownTexts(value);
    if (texts?.every((text) => /^\d+$/.test(text)) === true) return value.map((word) => charOf(word));
    return [derived('[char[]]', value)];
  }
  if (/^(?:system\.)?(?:management\.automation\.)?scriptblock$/.test(to))
    return at.read.cmdlet('scriptblock', value, at);
  if (to === 'void') return [];
  return value;
}

function charOf(word: Word): Word {
  const code = Number(knownText(word) ?? 'x');
  if (Number.isInteger(code) && code > 0 && code < 0xd800) return textWord(String.fromCharCode(code));
  return knownText(word)?.length === 1 ? word : derived('[char]', [word]);
}

function unaryValue(operator: string, value: Value): Value {
  if (operator === '-join') return [boundedWord(joinAll(value))];
  if (operator === '-split')
    return value.flatMap(
      (word) => knownText(word)?.split(/\s+/).map(textWord) ?? [derived('-split', [word])],
    );
  if (operator === '!' || operator === '-not' || operator === '-bnot') return [unknownWord('a condition')];
  const known = knownValue(value);
  return operator === '-' && known !== undefined ? [textWord(`-${known}`)] : value;
}

/** The longest list that a range is. */
const MAX_RANGE = 64;

function binaryValue(operator: string, left: Value, right: Value): Value {
  switch (operator) {
    case '+': {
      const sums = [...left, ...right].map((word) => knownText(word));
      if (left.length > 1 || right.length > 1 || left.length === 0) return listValue([...left, ...right]);
      if (sums.every((text) => text !== undefined && /^\d+$/.test(text)))
        return [textWord(String(Number(sums[0]) + Number(sums[1])))];
      return joinedValues([left, right]);
    }
    case '-f':
      return formatted(left, right);
    case '-join': {
      const between = knownValue(right);
      if (between === undefined) return [derived('-join', [...left, ...right])];
      const words = left.flatMap((word, index) => (index > 0 ? [textWord(between), word] : [word]));
      return [boundedWord(joinAll(words))];
    }
    case '-split': {
      const by = knownValue(right);
      if (
        by === undefined ||
        /[\\^$.*+?()[\]{}|]/.test(by.replace(/^\\?(.)$/s, '$1') && by.length > 2 ? by : '')
      )
        return [derived('-split', left)];
      const plain = by.replace(/^\\/, '');
      return boundedValue(
        left.flatMap((word) => knownText(word)?.split(plain).map(textWord) ?? [derived('-split', [word])]),
      );
    }
    case '-replace': {
      const [from, to = ''] = knownTexts(right) ?? [];
      if (from === undefined || /[\\^$.*+?()[\]{}|]/.test(from))
        return left.map((word) => derived('-replace', [word, ...right]));
      return left.map((word) => {
        const known = knownText(word);
        return known === undefined
          ? derived('-replace', [word, ...right])
          : textWord(replaceAll(known, from, to));
      });
    }
    case '..': {
      const [from, to] = [Number(knownValue(left) ?? Number.NaN), Number(knownValue(right) ?? Number.NaN)];
      const count = Math.abs(to - from);
      if (!Number.isInteger(count) || count >= MAX_RANGE) return [unknownWord('a number')];
      return Array.from({ length: count + 1 }, (_, index) =>
        textWord(String(from < to ? from + index : from - index)),
      );
    }
    case '??':
      return boundedValue([...left, ...right]);
    case '*':
    case '/':
    case '%':
    case '-':
      return [unknownWord('a number')];
    case '-as':
      return left;
    default:
      return [unknownWord('a condition')];
  }
}

function replaceAll(text: string, from: string, to: string): string {
  if (from === '') return text;
  const lower = text.toLowerCase();
  const sought = from.toLowerCase();
  if (lower.length !== text.length) return text.replaceAll(from, to);
  let made = '';
  let start = 0;
  for (let found = lower.indexOf(sought); found >= 0; found = lower.indexOf(sought, start)) {
    made += text.slice(start, found) + to;
    start = found + from.length;
  }
  return made + text.slice(start);
}

/** `'{0}\{1}' -f $a, $b`. */
function formatted(left: Value, right: Value): Value {
  const format = knownValue(left);
  if (format === undefined) return [derived('-f', [...left, ...right])];
  const words: Word[] = [];
  let start = 0;
  for (const found of format.matchAll(/\{(\d{1,3})(?:[,:][^}]{0,60})?\}|\{\{|\}\}/g)) {
    words.push(textWord(format.slice(start, found.index)));
    start = found.index + found[0].length;
    words.push(
      found[1] === undefined ? textWord(found[0].slice(1)) : (right[Number(found[1])] ?? unknownWord('-f')),
    );
  }
  words.push(textWord(format.slice(start)));
  return [boundedWord(joinAll(words))];
}

function indexValue(of: Value, at: Value, frame: PsFrame): Value {
  const key = knownValue(at);
  for (const thing of objectsOf(of, frame))
    if (thing.type === 'table' && key !== undefined)
      return thing.entries.get(key.toLowerCase()) ?? [unknownWord('[ ]')];
  const index = key === undefined || !/^-?\d+$/.test(key) ? undefined : Number(key);
  if (of.length > 1) {
    const item = index === undefined ? undefined : of.at(index);
    return item === undefined ? of : [item];
  }
  // An item of a list may be the list itself if it has one item.
  const [only] = of;
  if (only === undefined || objectsOf(of, frame).length > 0) return of;
  return knownText(only) === undefined || index === undefined ? [derived('[ ]', of)] : [only];
}
