import type { ProgramRows } from '../../model/policy.ts';
import type { ProgramRow } from '../../model/program-row.ts';
import { PROGRAM_INDEX } from '../../reader/generated/program-rows.ts';
import { rowTable, subcommandRow } from '../../reader/programs/spec/row-table.ts';
import { programFamily, programRow } from '../../reader/programs/spec/rows.ts';
import type { ProgramWords } from './meaning.ts';

export interface Flag {
  /** Those of one flag: `-f`, `--force`. */
  readonly spellings: readonly string[];
  readonly takesValue: boolean;
}

/** Every program that the rows know, and those of the policy files. */
export function programNames(programs: ProgramRows | undefined): readonly string[] {
  const lines =
    PROGRAM_INDEX + (programs?.own ?? '') + [programs?.added ?? '', ...(programs?.others ?? [])].join('');
  const names = [...lines.matchAll(/\n([^\t\n]+)\t/g)].map(([, name]) => name ?? '');
  // Others must be quoted, and nobody looks for a bracket.
  return [...new Set(names.filter((name) => /^\w[\w.+-]*$/.test(name)))];
}

/** A line about a program; undefined if no row knows it. */
export function programSummary(name: string, programs: ProgramRows | undefined): string | undefined {
  const row = programRow(name, programs);
  if (row === undefined) return undefined;
  const family = programFamily(name);
  const subcommands = Object.keys(row.subcommands ?? {});
  const parts = [
    family === undefined ? 'A program of your policy files.' : `A program of \`programs/${family}.yaml\`.`,
    subcommands.length === 0 ? '' : `Subcommands: ${subcommands.join(', ')}.`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The words that may follow a program and its subcommands. */
export function subcommandsOf(words: ProgramWords, programs: ProgramRows | undefined): readonly string[] {
  const levels = levelsOf(words, programs);
  return levels.length < words.length ? [] : Object.keys(levels.at(-1)?.subcommands ?? {});
}

/** The flags of a program and of its subcommands, those of the last subcommand first. */
export function flagsOf(words: ProgramWords, programs: ProgramRows | undefined): readonly Flag[] {
  const flags = levelsOf(words, programs).toReversed().flatMap(flagsIn);
  const seen = new Set<string>();
  return flags.filter(({ spellings }) => {
    const isNew = !spellings.some((spelling) => seen.has(spelling));
    for (const spelling of spellings) seen.add(spelling);
    return isNew;
  });
}

/** The rows of a program and of its subcommands, as far as they are known. */
function levelsOf(
  [program, ...subcommands]: ProgramWords,
  programs: ProgramRows | undefined,
): readonly ProgramRow[] {
  const levels: ProgramRow[] = [];
  let row = programRow(program, programs);
  for (const word of [...subcommands, undefined]) {
    if (row === undefined) break;
    levels.push(row);
    row = word === undefined ? undefined : subcommandRow(row, word);
  }
  return levels;
}

function flagsIn(row: ProgramRow): readonly Flag[] {
  const { recursive, harmless, help, dry_run } = row;
  const listed = new Set(rowTable(row).flags.values());
  const named = [recursive, harmless, help, dry_run].flatMap((list) =>
    typeof list === 'object' ? list : [],
  );
  return [
    ...[...listed].map(({ spellings, takes }) => ({ spellings, takesValue: takes !== '' })),
    ...named.map((flag) => ({ spellings: [flag], takesValue: false })),
  ].filter(({ spellings: [first = ''] }) => first.startsWith('-'));
}
