import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ProgramDraft,
  type ProgramExample,
  readRows,
} from '../../../src/language/policy/parse/read-rows.ts';
import { parseYaml } from '../../../src/language/policy/yaml/yaml.ts';
import { CONSEQUENCE_KINDS } from '../../../src/model/consequences.ts';
import type { ProgramRow } from '../../../src/model/program-row.ts';
import { plainScript } from '../../../src/reader/commands/plain-script.ts';
import { readCommand } from '../../../src/reader/commands/read-command.ts';
import { programExampleProblems } from '../../../src/tools/suite/program-examples.ts';

const FOLDER = join(import.meta.dir, '../../../programs');
// Below it are the rows of calls in code.
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
const FAMILIES = FILES.map((file) => {
  const { document } = parseYaml(readFileSync(join(FOLDER, file), 'utf8'), file);
  if (document === undefined) throw new Error(`${file} is no YAML`);
  return { file, ...readRows(document, []) };
});
const EXAMPLES = FAMILIES.flatMap(({ examples }) => examples);

/** Every row with something that follows, as `terraform destroy`, with the rows of its subcommands. */
function consequential(name: string, row: ProgramRow): readonly (readonly [string, ProgramRow])[] {
  const inner = Object.entries(row.subcommands ?? {}).flatMap(([word, sub]) =>
    consequential(`${name} ${word}`, sub),
  );
  return CONSEQUENCE_KINDS.some((kind) => kind in row) ? [[name, row], ...inner] : inner;
}

/** Rows that an example says something follows from: names that share a row share its examples. */
function reached(examples: readonly ProgramExample[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { command, expect: wanted } of examples) {
    if (!CONSEQUENCE_KINDS.some((kind) => Object.hasOwn(wanted, kind))) continue;
    for (const { rows } of readCommand(command, { home: '/home/user', cwd: '/workspace' }).commands)
      for (const row of rows) found.add(consequencesOf(withoutAdapters(row)));
  }
  return found;
}

/** What the adapters of agents add has its own cases, one for each row of theirs. */
function withoutAdapters(row: ProgramRow): ProgramRow {
  const { hooks: _hooks, ...unguards } = row.unguards ?? {};
  return { ...row, ...(row.unguards === undefined ? {} : { unguards }) };
}

function consequencesOf(row: ProgramRow): string {
  return JSON.stringify(CONSEQUENCE_KINDS.map((kind) => row[kind] ?? {}));
}

describe('shipped rows', () => {
  test.each(FAMILIES.map(({ file }) => file))('%s has examples', (file) => {
    expect(FAMILIES.find((family) => family.file === file)?.examples.length).toBeGreaterThan(0);
  });

  test('have examples that hold', () => {
    const problems = programExampleProblems(EXAMPLES, undefined);
    expect(problems.map(({ position, message }) => `${position.file}:${position.line} ${message}`)).toEqual(
      [],
    );
  });

  test('have an example of everything that follows from a program', () => {
    const seen = reached(EXAMPLES);
    const rows = FAMILIES.flatMap(({ rows: drafts }) =>
      drafts.flatMap(({ name, row }: ProgramDraft) => consequential(name, row)),
    );
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.flatMap(([name, row]) => (seen.has(consequencesOf(row)) ? [] : [name]))).toEqual([]);
  });

  test('say nothing of what follows from commands that are not read', () => {
    const loud = EXAMPLES.filter(({ expect: wanted }) =>
      Object.keys(wanted).some((key) => !['reads', 'lists', 'writes'].includes(key)),
    );
    expect(loud.length).toBeGreaterThan(100);
    const unsaid = loud.filter(({ command, expect: wanted }) => {
      const plain = plainScript(command, ['/workspace'], '/home/user');
      const isSaid = (key: string) =>
        plain?.causes.some((cause) => cause.startsWith(`${key}:`)) === true ||
        ['reads', 'lists', 'writes'].includes(key) ||
        (key === 'network' && plain?.network === true);
      return plain !== undefined && !Object.keys(wanted).every(isSaid);
    });
    expect(unsaid).toEqual([]);
  });
});
