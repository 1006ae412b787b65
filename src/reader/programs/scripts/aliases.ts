import { callRow, type Language } from './rows.ts';
import type { Token } from './tokens.ts';
import type { Aliases } from './tree.ts';

/** Records names for others: `import os as o`. An imported function counts as its module's: `from os.path import join as j`. */
export function noteAliases(tokens: readonly Token[], language: Language, aliases: Aliases): void {
  tokens.forEach(({ type, text }, at) => {
    const [word, other] = tokens.slice(at + 1, at + 3);
    if (type !== 'name' || word?.type !== 'name' || other === undefined) return;
    if (word.text === 'from' && other.type === 'string') aliases.set(text, [other.text]);
    if (word.text === 'as' && other.type === 'name') aliases.set(other.text, [text]);
  });
  const note = (module: readonly string[], name: string, local: string) => {
    const names = [...module, name];
    if (names.join('.') === 'os.environ' || callRow(language, names) !== undefined) aliases.set(local, names);
  };
  tokens.forEach(({ type, text }, at) => {
    if (type !== 'name') return;
    if (language === 'python' && text === 'from') notePython(tokens, at + 1, note);
    else if (language === 'javascript' && text === 'import') noteJavaScript(tokens, at + 1, note);
  });
}

type Note = (module: readonly string[], name: string, local: string) => void;

/** `from os.path import join as j, expanduser`, `from shutil import *` */
function notePython(tokens: readonly Token[], start: number, note: Note): void {
  let at = start;
  const module: string[] = [];
  for (; tokens[at]?.type === 'name' && tokens[at]?.text !== 'import'; at += 2) {
    module.push(tokens[at]?.text ?? '');
    if (tokens[at + 1]?.text !== '.') {
      at++;
      break;
    }
  }
  if (module.length === 0 || tokens[at]?.text !== 'import') return;
  at++;
  if (tokens[at]?.text === '*') {
    // A star does not name its imports: every bare name that is called later may be one.
    tokens.forEach(({ type, text }, index) => {
      const isCalled = index > at && type === 'name' && tokens[index + 1]?.text === '(';
      if (isCalled && tokens[index - 1]?.text !== '.') note(module, text, text);
    });
    return;
  }
  if (tokens[at]?.text === '(') at++;
  for (; tokens[at]?.type === 'name'; at++) {
    const name = tokens[at]?.text ?? '';
    const isRenamed = tokens[at + 1]?.text === 'as' && tokens[at + 2]?.type === 'name';
    if (isRenamed) at += 2;
    note(module, name, tokens[at]?.text ?? name);
    if (tokens[at + 1]?.text !== ',') return;
    at++;
  }
}

/** `import { join as j, dirname } from "path"`, `import fs, { rm } from "fs"` */
function noteJavaScript(tokens: readonly Token[], start: number, note: Note): void {
  let at = start;
  if (tokens[at]?.type === 'name' && tokens[at + 1]?.text === ',') at += 2;
  if (tokens[at]?.text !== '{') return;
  const found: (readonly [name: string, local: string])[] = [];
  for (at++; tokens[at]?.type === 'name' || tokens[at]?.text === ','; at++) {
    const { type, text: name = '' } = tokens[at] ?? {};
    if (type !== 'name') continue;
    const isRenamed = tokens[at + 1]?.text === 'as' && tokens[at + 2]?.type === 'name';
    if (isRenamed) at += 2;
    found.push([name, tokens[at]?.text ?? name]);
  }
  const module = tokens[at + 2];
  if (tokens[at]?.text !== '}' || tokens[at + 1]?.text !== 'from' || module?.type !== 'string') return;
  for (const [name, local] of found) note([module.text], name, local);
}
