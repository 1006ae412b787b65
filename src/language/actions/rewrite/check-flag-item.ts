import type { JsonObject } from '../../../lib/json.ts';
import type { ParamProblem } from '../action-spec.ts';
import { addedFlags, removedFlags, renamedFlags } from './flag-item.ts';
import { isPlainFlag, isPlainFlagName, PLAIN_CHARACTERS } from './plain-word.ts';

const CHANGES = ['remove', 'rename', 'add'] as const;

/** What is wrong with an item of `flags` beyond its schema. */
export function checkFlagItem(item: JsonObject, index: number): readonly ParamProblem[] {
  const problems: ParamProblem[] = [];
  if (!Object.hasOwn(item, 'run') && !Object.hasOwn(item, 'subcommand')) {
    problems.push({
      code: 'missing-key',
      path: [index],
      message: 'Cannot tell whose flags to change: neither "run" nor "subcommand" is given',
      hint: 'write run: rm or subcommand: [git, push]',
    });
  }
  if (!CHANGES.some((key) => Object.hasOwn(item, key))) {
    problems.push({
      code: 'missing-key',
      path: [index],
      message: 'Cannot change flags: none of "remove", "rename" and "add" is given',
    });
  }
  return [
    ...problems,
    ...removedFlags(item).flatMap((name, at) =>
      checkName(`remove flag "${name}"`, name, [index, 'remove', at]),
    ),
    ...renamedFlags(item).flatMap(([from, to], _, all) =>
      checkRename(from, to, all, [index, 'rename', from]),
    ),
    ...addedFlags(item).flatMap((text, at) =>
      isPlainFlag(text)
        ? []
        : [notPlain(`add flag "${text}"`, '-x, --long or --long=value', [index, 'add', at])],
    ),
  ];
}

/** A name to look for may be anything that a program could call a flag. */
function checkName(verb: string, name: string, path: ParamProblem['path']): readonly ParamProblem[] {
  if (/^-[^\s=]+$/.test(name)) return [];
  const message = `Cannot ${verb}: that is no flag`;
  return [
    { code: 'bad-value', path, message, hint: 'write it with its dashes and without a value, such as -f' },
  ];
}

function checkRename(
  from: string,
  to: string,
  all: readonly (readonly [string, string])[],
  path: ParamProblem['path'],
): readonly ParamProblem[] {
  const verb = `rename flag "${from}" to "${to}"`;
  const bad = checkName(verb, from, path);
  if (bad.length > 0) return bad;
  if (!isPlainFlagName(to)) return [notPlain(verb, '-x or --long', path)];
  // A call that is still to be rewritten after it has been is refused.
  if (from === to || !all.some(([other]) => other === to)) return [];
  const message = `Cannot ${verb}: "${to}" is renamed too`;
  return [{ code: 'bad-value', path, message, hint: 'write the name that it is to have' }];
}

function notPlain(verb: string, form: string, path: ParamProblem['path']): ParamProblem {
  const message = `Cannot ${verb}: it takes a flag that needs no quotes`;
  return { code: 'bad-value', path, message, hint: `write ${form}, of ${PLAIN_CHARACTERS}` };
}
