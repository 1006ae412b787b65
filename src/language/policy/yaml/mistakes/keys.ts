import { YamlProblem } from '../yaml-problem.ts';
import { bare, blockTextProblem, tooDeepProblem } from './indentation.ts';
import { type Line, linesAbove, type Stop } from './stop.ts';

/** A line that is no key, or whose key continues a text above it. */
export function keyProblem(stop: Stop): YamlProblem | undefined {
  const here = unseparated(stop.line);
  if (here !== undefined) return here;
  // Behind the beginning of a line without a colon, that line is the matter.
  const isReadInPart = stop.before.trim() !== '' && !hasColon(stop.line);
  let first = isReadInPart ? stop.line : undefined;
  for (const line of linesAbove(stop.text, stop.line)) {
    const problem = unseparated(line);
    if (problem !== undefined) return problem;
    if (hasColon(line)) {
      return first === undefined
        ? tooDeepProblem(stop, line)
        : (blockTextProblem(first, line) ?? withoutColon(first));
    }
    first = line;
  }
  return first === undefined ? undefined : withoutColon(first);
}

function hasColon({ text }: Line): boolean {
  return /:(?:\s|$)/.test(text);
}

/** A key or an item without the space behind its colon or dash. */
function unseparated({ start, text }: Line): YamlProblem | undefined {
  if (/: |:$/.test(text)) return /^ *-\w/.test(text) ? dashProblem(start, text) : undefined;
  const [, lead = '', key, next = ''] =
    /^( *(?:- +)*)([\w.-]+|"[^"]*"|'[^']*'):(?!\/\/)(\S|\s)/.exec(text) ?? [];
  if (key === undefined) return undefined;
  return missingSpace(key, start + lead.length, next);
}

/** The key of a text that was meant as a key and its value; undefined for other texts. */
export function keyWithoutSpace(text: string): string | undefined {
  return /^([\w.-]+):(?!\/\/)\S/.exec(text)?.[1];
}

/** @param next the character behind the colon */
export function missingSpace(key: string, start: number, next: string): YamlProblem {
  const code = next.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const [cause, hint] =
    next.trim() === ''
      ? [`no ordinary space follows its colon, but U+${code}`, `write an ordinary space after ${key}:`]
      : ['no space follows its colon', `write a space after ${key}:`];
  return new YamlProblem(
    `Cannot find the value of "${bare(key)}": ${cause}`,
    start,
    start + key.length + 1,
    hint,
  );
}

function dashProblem(start: number, text: string): YamlProblem {
  const at = start + text.indexOf('-');
  return new YamlProblem('Cannot read an item: no space follows its dash', at, at + 1, 'write "- "');
}

function withoutColon({ start, text }: Line): YamlProblem {
  const [lead = ''] = /^ *(?:- +)*/.exec(text) ?? [];
  const words = text.slice(lead.length).trimEnd();
  const at = start + lead.length;
  const hint = /^[\w.-]+$/.test(words)
    ? `write "${words}:"`
    : 'write a colon after the key, or indent the line if it continues a string';
  return new YamlProblem(`Cannot read "${words}" as a key: it has no colon`, at, at + words.length, hint);
}
