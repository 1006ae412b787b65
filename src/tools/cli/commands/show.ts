import { packIn } from '../../../language/policy/discovery.ts';
import { BUILTIN_PACKS } from '../../../language/policy/packs.ts';
import { parseYaml } from '../../../language/policy/yaml.ts';
import { closest } from '../../../lib/closest.ts';
import { isJsonObject, ownString } from '../../../lib/json.ts';
import type { Position } from '../../../model/diagnostic.ts';
import { isNamed } from '../../../model/rule-id.ts';
import { alignColumns } from '../../report/columns.ts';
import { countOf } from '../../report/quantity.ts';
import { optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { page } from '../page.ts';
import { compileFor } from '../policy-place.ts';
import { policyLines } from '../show/policy-lines.ts';
import { UsageError } from '../usage-error.ts';

export const show = {
  operands: '[builtin:NAME|POLICY_ID]',
  operandWords: async () => BUILTIN_PACKS.names.map((name) => `builtin:${name}`),
  options: [
    {
      name: 'policies',
      value: 'PATH',
      repeatable: true,
      summary: 'Look for the id only in this file, folder or builtin:NAME',
    },
  ],
  details: [
    'builtin:NAME prints the file of a pack. POLICY_ID prints one policy of a pack or of those in force here. Without\neither, it lists the packs.',
  ],
  example: [
    '$ policy show git-safety/no-skipped-checks',
    '# builtin:git-safety:24',
    '# defaults: {action: deny, when_unknown: skip}',
    '- id: no-skipped-checks',
    "  description: The repository's hooks are its checks",
    '  command: {run: git, unguards: checks}',
    "  reason: this skips the repository's own checks",
    '  instead: fix what the check reports, then commit again',
    '  examples:',
    '    hit: [{command: git commit --no-verify -m wip}, {command: git commit -nm wip}, {command: HUSKY=0 git push}]',
    '    miss: [{command: git commit -m wip}, {command: git push -n}, {command: gemini --yolo}]',
  ],
  async run(args, io) {
    const [name, ...others] = args.operands;
    if (others.length > 0) throw new UsageError('Cannot show several things: name one');
    if (name === undefined) {
      io.stdout.write(packList());
      return EXIT_CODE.ok;
    }
    const pack = packIn(name);
    await page(
      pack === undefined ? policyText(name, optionValues(args, 'policies'), io) : packText(pack),
      io,
    );
    return EXIT_CODE.ok;
  },
} satisfies Command;

/** The packs of this build with what they are for. */
function packList(): string {
  const rows = BUILTIN_PACKS.names.map((name) => {
    const value = parseYaml(BUILTIN_PACKS.text(name) ?? '', name).document?.value ?? null;
    const what = isJsonObject(value) ? ownString(value, 'description') : undefined;
    const count = BUILTIN_PACKS.draft(name)?.rules.length ?? 0;
    return [`builtin:${name}`, countOf(count, 'policy'), what ?? ''];
  });
  return `${alignColumns(rows).join('\n')}\n`;
}

function packText(name: string): string {
  const text = BUILTIN_PACKS.text(name);
  if (text !== undefined) return text;
  const meant = closest(name, BUILTIN_PACKS.names);
  const hint =
    meant === undefined
      ? `give one of ${BUILTIN_PACKS.names.join(', ')}`
      : `did you mean "builtin:${meant}"?`;
  throw new UsageError(`Cannot show "builtin:${name}": there is no such pack; ${hint}`);
}

/** A policy among those that are loaded here, else in a pack. */
function policyText(id: string, named: readonly string[], io: Io): string {
  const { program, texts } = compileFor(io, named);
  const packed = BUILTIN_PACKS.names.flatMap((pack) => BUILTIN_PACKS.draft(pack)?.rules ?? []);
  const known = new Map<string, Position>();
  for (const rule of [...program.rules, ...packed])
    if (!known.has(rule.id)) known.set(rule.id, rule.position);
  const position = known.get(id);
  if (position === undefined) {
    const sameName = [...known.keys()].filter((other) => isNamed(other, id));
    const pack = BUILTIN_PACKS.names.includes(id) ? `builtin:${id}` : undefined;
    const meant = pack ?? sameName[0] ?? closest(id, [...known.keys()]);
    const hint = meant === undefined ? 'an id is FILE/POLICY' : `did you mean "${meant}"?`;
    throw new UsageError(`Cannot show "${id}": there is no such policy; ${hint}`);
  }
  const { file, line } = position;
  const text = texts.get(file) ?? BUILTIN_PACKS.text(packIn(file) ?? '') ?? '';
  return `# ${file}:${line}\n${policyLines(text, line).join('\n')}\n`;
}
