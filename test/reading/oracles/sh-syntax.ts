import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getProcessor, LangVariant, ParseError } from 'sh-syntax';

const WASM = new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve('sh-syntax/main.wasm'))));
/** Where a word may start. */
const WORD_START = /(?<=^|[\s;|&({`!])(?!\\\n)[^\s;|&(){}<>#`]/g;
/** Words of the grammar that stand where a command's name does, and the option of `time`. */
const GRAMMAR =
  /^(?:-p|!|\[\[|time|coproc|case|select|for|while|until|if|then|elif|else|do|function)(?![^\s;|&()<>])/;
/** Where a coprocess that has a name starts, or the first argument of one that has none. */
const BEHIND_NAME = /\bcoproc\s+[\w-]+\s+$/;
const ASSIGNMENT = /^\w+(?:\[|\+?=)/;

/** Texts that one instance parses. It does not give back all of its memory. */
const TEXTS_PER_INSTANCE = 200;
let started: WebAssembly.Instance | undefined;
let parsed = 0;
/** The package starts its program for each text, which takes longer than parsing it. Here one that runs goes on. */
const parse = getProcessor(async (imports) => {
  if (started !== undefined && ++parsed % TEXTS_PER_INSTANCE !== 0) return started;
  const instance = await WebAssembly.instantiate(WASM, imports);
  started = { exports: { ...instance.exports, _start: undefined, _initialize: () => {} } } as never;
  return instance;
});

/**
 * Finds where commands start in a script, by the grammar of mvdan/sh: offsets in UTF-16 units; undefined if it is none.
 *
 * The package gives the outermost statements of its tree and no more. But the parser can be asked: where a command starts,
 * `if` does not go without a `then`, and anywhere else it is a word like others.
 */
export async function commandStarts(text: string): Promise<readonly number[] | undefined> {
  if (!(await isScript(text))) return undefined;
  const starts: number[] = [];
  for (const { index } of text.matchAll(WORD_START)) {
    const before = text.slice(0, index);
    const behind = text.slice(index);
    if (GRAMMAR.test(behind) || ASSIGNMENT.test(behind) || BEHIND_NAME.test(before)) continue;
    if ((await isScript(`${before}if ${behind}`)) || !(await isScript(`${before}x ${behind}`))) continue;
    starts.push(index);
  }
  return starts;
}

async function isScript(text: string): Promise<boolean> {
  try {
    await parse(text, { variant: LangVariant.LangBash });
    return true;
  } catch (error) {
    if (error instanceof ParseError || error instanceof SyntaxError) return false;
    throw error;
  }
}
