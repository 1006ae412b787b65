import { knownText } from '../../reading/word.ts';
import { afterComma, type Code, type FoundCall, isSign, nameAt, plainWord } from './code.ts';
import { spreadSigns } from './expression-parts.ts';
import { SYNTAX } from './language.ts';
import { setParameter, setUnknown } from './parameters.ts';
import { alternatives, anyOf, UNKNOWN_VALUE, type Value } from './values.ts';

/**
 * Functions such as `def sh(cmd): return subprocess.run(cmd, shell=True)`: their parameters have the values that they are
 * called with, as the variable of a loop has those of a list. That holds only where each call can be seen; what a function
 * gives back is not followed.
 */

/** So many calls are followed. */
const MAX_CALLS = 32;
const MAX_HELPERS = 16;
/** Names by which code reaches functions, or what they are given, without their names. */
const DYNAMIC = new Set(
  'eval exec globals locals vars getattr globalThis global self window Function this modules __main__ __name__ arguments runInThisContext runInNewContext'.split(
    ' ',
  ),
);

/** Is this the name of a function that is defined here, and no call of it? */
function isDefinition(code: Code, at: number): boolean {
  const { definer } = SYNTAX[code.language];
  return definer !== undefined && nameAt(code, at - 1) === definer;
}

/** Finds the helpers: functions that are defined once, and never named but where they are called. */
export function findHelpers(code: Code): void {
  const { language, tokens, helpers } = code;
  if (language !== 'python' && language !== 'javascript') return;
  // Functions may be called by what is put together, or by whatever decorates them.
  if (tokens.some((_, at) => isSign(code, at, '@') || DYNAMIC.has(nameAt(code, at) ?? ''))) return;
  const seen = new Set<string>();
  tokens.forEach((_, at) => {
    const open = definitionAt(code, at);
    if (open === undefined) return;
    const name = nameAt(code, at) ?? '';
    if (seen.has(name) || helpers.size >= MAX_HELPERS) helpers.delete(name);
    else helpers.set(name, { parameters: parametersAt(code, open), calls: [] });
    seen.add(name);
  });
  for (const name of helpers.keys())
    if (tokens.some((_, at) => escapes(code, at, name))) helpers.delete(name);
}

/** Is a function named here so that others may call it: as a value, or in a text? */
function escapes(code: Code, at: number, name: string): boolean {
  const token = code.tokens[at];
  if (token?.type === 'string') {
    const text = knownText(plainWord(code, at));
    return text === name || text?.includes(`${name}(`) === true;
  }
  if (token?.type !== 'name' || token.text !== name || isSign(code, at + 1, '(')) return false;
  const isMember = isSign(code, at - 1, '.') && !isSign(code, at - 2, ']');
  return !isMember && definitionAt(code, at) === undefined;
}

/** `def name(`, `function name(`, `const name = async (…) =>`: where the bracket is, if this is the name. */
function definitionAt(code: Code, at: number): number | undefined {
  if (isDefinition(code, at)) return at + 1;
  if (!/^(?:const|let|var)$/.test(nameAt(code, at - 1) ?? '') || !isSign(code, at + 1, '=')) return undefined;
  const open = nameAt(code, at + 2) === 'async' ? at + 3 : at + 2;
  const close = isSign(code, open, '(') ? code.partners[open] : undefined;
  return close !== undefined && isSign(code, close + 1, '=>') ? open : undefined;
}

/** The names of parameters, `*` before one that takes all values that are left; empty where one is something else. */
function parametersAt(code: Code, open: number): readonly string[] {
  const close = isSign(code, open, '(') ? (code.partners[open] ?? open) : open;
  const names: string[] = [];
  for (let at = open + 1; at < close; at = afterComma(code, at, close)) {
    const signs = spreadSigns(code, at);
    names.push(`${signs > 0 ? '*' : ''}${nameAt(code, at + signs) ?? ''}`);
  }
  return names;
}

/** Notes what a helper is called with, if this is a call of one. */
export function noteHelperCall({ helpers }: Code, { names, args, named }: FoundCall): void {
  const helper = names.length === 1 ? helpers.get(names[0] ?? '') : undefined;
  if (helper === undefined || helper.calls.length > MAX_CALLS) return;
  const values = helper.parameters.map((name, index): Value => {
    if (name.startsWith('*')) return { type: 'list', items: args.slice(index) };
    return args[index] ?? named.get(name) ?? UNKNOWN_VALUE;
  });
  helper.calls.push(...alternatives(values));
}

/**
 * Where a function is defined, sets its parameters: those of a helper to what it is called with, each to one of as many
 * values as there are calls, so that those of one call stay together; others to what nobody knows.
 */
export function noteDefinition(code: Code, at: number): boolean {
  const open = definitionAt(code, at);
  if (open === undefined) return false;
  const { calls = [] } = code.helpers.get(nameAt(code, at) ?? '') ?? {};
  const isKnown = calls.length > 0 && calls.length <= MAX_CALLS;
  // `async (…) =>` starts before its bracket.
  code.bound.set(open, new Map()).set(open - 1, new Map());
  setUnknown(code, open + 1, code.partners[open] ?? open);
  parametersAt(code, open).forEach((name, index) => {
    const given = calls.map((call) => call[index] ?? UNKNOWN_VALUE);
    if (isKnown) setParameter(code, name.replace('*', ''), anyOf(given));
  });
  return true;
}
