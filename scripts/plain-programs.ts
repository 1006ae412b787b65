import type { CompiledRow } from '../src/model/compiled-row.ts';
import type { PlainProgram } from '../src/model/plain-program.ts';
import type { ProgramSpec } from '../src/model/program-spec.ts';

/** What rows may say of a program that at most reads: how its words are taken, and what it prints. */
const ALLOWED: ReadonlySet<keyof ProgramSpec> = new Set([
  'values',
  'attached',
  'long',
  'dashes',
  'same',
  'negates',
  'first',
  'firstUnless',
  'rest',
  'flags',
  'printsNothing',
  'speaks',
  'recursive',
  'fallback',
  'help',
  'output',
  'secretLast',
  'secretPrefix',
  'secretInput',
]);

/** Roles of words that are neither paths nor hosts. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'secret', 'login', 'settings']);

/** A row in short; undefined if the program does more than to read or list paths among its words. */
export function plainProgram({ spec, runs }: CompiledRow): PlainProgram | undefined {
  if (runs !== undefined || Object.keys(spec).some((key) => !ALLOWED.has(key as keyof ProgramSpec)))
    return undefined;
  const roles = new Set([...(spec.first ?? []), spec.rest ?? 'text']);
  const others = [...roles].filter((role) => !TEXTS.has(role) && role !== 'read' && role !== 'list');
  if (others.length > 0) return undefined;
  const refused = Object.entries(spec.flags ?? {}).flatMap(([flag, role]) =>
    TEXTS.has(role) ? [] : spellings(flag, spec),
  );
  return {
    ...(roles.has('read') ? { use: 'read' } : roles.has('list') ? { use: 'list' } : {}),
    ...(spec.fallback === undefined ? {} : { here: true }),
    ...(spec.recursive === true ? { recursive: true } : {}),
    ...(typeof spec.recursive === 'string' ? { below: spec.recursive.split(' ') } : {}),
    ...(refused.length === 0 ? {} : { refused }),
    ...(spec.dashes === 'none' ? { takesDashes: true } : {}),
  };
}

/** All spellings of a flag: a role of one counts for the others. */
function spellings(flag: string, { values = '', attached = '', same = '' }: ProgramSpec): readonly string[] {
  const groups = [values, attached, same]
    .flatMap((listed) => listed.split(' '))
    .map((group) => group.split(','));
  return groups.find((group) => group.includes(flag)) ?? [flag];
}
