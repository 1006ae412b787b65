import { packIn } from '../../../language/policy/discovery.ts';
import { BUILTIN_PACKS } from '../../../language/policy/packs.ts';
import { closest } from '../../../lib/closest.ts';
import type { Position } from '../../../model/diagnostic.ts';
import { isNamed } from '../../../model/rule-id.ts';
import type { Io } from '../io.ts';
import { compileFor } from '../policy-place.ts';
import { UsageError } from '../usage-error.ts';
import { policyLines } from './policy-lines.ts';

/** The source of what is named, and how to name it in full. */
export interface PolicySource {
  readonly id: string;
  readonly text: string;
}

/** The file of a pack. */
export function packText(name: string): string {
  const text = BUILTIN_PACKS.text(name);
  if (text !== undefined) return text;
  const meant = closest(name, BUILTIN_PACKS.names);
  const hint =
    meant === undefined
      ? `give one of ${BUILTIN_PACKS.names.join(', ')}`
      : `did you mean "builtin:${meant}"?`;
  throw new UsageError(`Cannot show "builtin:${name}": there is no such pack; ${hint}`);
}

/** One policy among those that are loaded here, else in a pack, by its id or a name that is that of no other. */
export function policySource(id: string, named: readonly string[], io: Io): PolicySource | undefined {
  const { program, texts } = compileFor(io, named);
  const packed = BUILTIN_PACKS.names.flatMap((pack) => BUILTIN_PACKS.draft(pack)?.rules ?? []);
  const known = new Map<string, Position>();
  for (const rule of [...program.rules, ...packed])
    if (!known.has(rule.id)) known.set(rule.id, rule.position);
  const sameName = known.has(id) ? [id] : [...known.keys()].filter((other) => isNamed(other, id));
  const [found, ...others] = sameName;
  const position = known.get(found ?? '');
  if (found === undefined || position === undefined || others.length > 0) {
    if (!id.includes('/') && others.length === 0) return undefined;
    const meant = found ?? closest(id, [...known.keys()]);
    const hint = meant === undefined ? 'an id is FILE/POLICY' : `did you mean "${meant}"?`;
    throw new UsageError(`Cannot show "${id}": there is no such policy; ${hint}`);
  }
  const { file, line } = position;
  const text = texts.get(file) ?? BUILTIN_PACKS.text(packIn(file) ?? '') ?? '';
  return { id: found, text: `# ${file}:${line}\n${policyLines(text, line).join('\n')}\n` };
}
