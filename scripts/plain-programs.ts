import type { ProgramRow } from '../src/model/program-row.ts';
import type { PlainProgram } from '../src/reader/commands/plain-script.ts';
import { rowTable } from '../src/reader/programs/spec/row-table.ts';

/** The keys that the row of a program that at most reads may have: for its words, and its output. */
const ALLOWED: ReadonlySet<string> = new Set<keyof ProgramRow>([
  'flags',
  'leaves_out',
  'style',
  'abbreviates',
  'negates',
  'operands',
  'quiet',
  'speaks',
  'recursive',
  'fallback',
  'help',
  'prints',
  'secret_last',
  'secret_prefix',
  'secret_input',
]);

/** Roles of words that are neither paths nor hosts. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'secret', 'login', 'settings']);

/** The uses of paths by programs, the strongest first. */
const USES = ['write', 'read', 'list'] as const;

/** A row in short; undefined if the program does more than to write, read or list the paths among its words. */
export function plainProgram(row: ProgramRow): PlainProgram | undefined {
  const { operands, flags: bySpelling } = rowTable(row);
  const flags = [...new Set(bySpelling.values())];
  if (Object.keys(row).some((key) => !ALLOWED.has(key)) || operands.last !== undefined) return undefined;
  if (flags.some(({ takes }) => takes === '==')) return undefined;
  const roles = new Set([...operands.first, operands.rest ?? 'text']);
  const others = [...roles].filter((role) => !TEXTS.has(role) && !USES.some((use) => use === role));
  if (others.length > 0) return undefined;
  const use = USES.find((each) => roles.has(each));
  const refused = flags.flatMap(({ role = 'text', spellings }) => (TEXTS.has(role) ? [] : spellings));
  return {
    ...(use === undefined ? {} : { use }),
    ...(row.fallback === undefined ? {} : { here: true }),
    ...(row.recursive === true ? { recursive: true } : {}),
    ...(typeof row.recursive === 'object' ? { below: row.recursive } : {}),
    ...(refused.length === 0 ? {} : { refused }),
    ...(row.style === 'none' ? { takesDashes: true } : {}),
  };
}
