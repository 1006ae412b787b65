import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { repositoryAt } from '../../../hook/repository.ts';
import { didYouMean } from '../../../lib/closest.ts';
import { distinct } from '../../../lib/distinct.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Paint } from '../../report/layout/paint.ts';
import { printable } from '../../report/layout/printable.ts';
import { countOf } from '../../report/layout/quantity.ts';
import type { Command } from '../command.ts';
import { type FindingKind, type Importer, type ImportFinding, UnreadableImport } from '../import/imported.ts';
import { IMPORTERS } from '../import/importers.ts';
import { writeImport } from '../import/write-import.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { optionsOf } from '../options.ts';
import { paintFor } from '../print.ts';
import { readInput } from '../read-input.ts';

/** More than any settings have. */
const MAX_CHARS = 4 * 1024 * 1024;

const NAMES = IMPORTERS.map(({ name }) => name);

export const importCommand = {
  operands: `${NAMES.join('|')} [FILE|-]`,
  operandWords: async () => NAMES,
  isLong: true,
  options: optionsOf({
    '--approvals': 'Also import approvals, for the repository of the file',
  }),
  details: [
    'Prints a policy file with examples for the permissions in a file of an agent, such as\n.claude/settings.json, *.rules and requirements.toml of Codex CLI, settings or policies of Gemini CLI, or the flags of\nCopilot CLI; without FILE, the usual one of this project, else yours. What is dead, never consulted, dangerously wide,\nor cannot be said goes to standard error, each with its place.',
    'It imports what is denied or asked about, and approvals only with --approvals. Approvals are for approve_tool: where\nthe agent asks hooks in place of a person.',
    'The exit code is 0, or 2 if the file cannot be read.',
  ],
  example: [
    '$ policy import claude .claude/settings.json > .policy/claude.yaml',
    '.claude/settings.json:4:14 warning never-consulted  deny Write(.env): Claude Code never looks at a path of Write',
    '    write Edit(.env)',
    '5 rules: 4 policies, 1 finding',
    '$ policy check .policy',
    'No problems in 4 policies of 1 file',
  ],
  async run({ operands, switches }, io) {
    const [name, file, ...others] = operands;
    const importer = importerOf(name);
    if (others.length > 0) throw new UsageError('Cannot import several files: name one');
    const own = join(homeOf(io), importer.file);
    const isThere = (path: string) => existsSync(resolve(io.cwd, path));
    const shown = file ?? (!isThere(importer.file) && isThere(own) ? own : importer.file);
    const text = await readInput(shown, `the permissions of ${importer.title} in`, io);
    if (text.length > MAX_CHARS)
      throw new UsageError(`Cannot read "${shown}": it is longer than ${MAX_CHARS} characters`);
    const source = { text: text.replace(/^\uFEFF/, ''), file: shown, root: rootOf(shown, io) };
    const { imported, written, extra } = translated(importer, source, switches.has('approvals'), io);
    io.stdout.write(written.text);
    // One rule of a host may be several here.
    const all = [
      ...written.findings,
      ...extra,
      ...(imported.rules.length + imported.findings.length === 0 ? [nothing(importer, shown)] : []),
    ];
    const findings = distinct(all);
    for (const line of findingLines(findings, paintFor(io.stderr, io.env))) io.stderr.write(`${line}\n`);
    const counts = [countOf(written.policies, 'policy'), countOf(findings.length, 'finding')].join(', ');
    io.stderr.write(
      `${countOf(new Set(imported.rules.map(({ position }) => `${position.line}:${position.column}`)).size, 'rule')}: ${counts}\n`,
    );
    return EXIT_CODE.ok;
  },
} satisfies Command;

function translated(importer: Importer, source: Parameters<Importer['read']>[0], approvals: boolean, io: Io) {
  try {
    const imported = importer.read(source);
    const { scope, extra } = approvals ? scopeOf(source.file, io) : { scope: undefined, extra: [] };
    return { imported, written: writeImport(imported, { importer, file: source.file, scope }), extra };
  } catch (error) {
    if (error instanceof UnreadableImport) throw new UsageError(error.message);
    throw error;
  }
}

/** A file of another kind would else look as if it were imported. */
function nothing({ title }: Importer, file: string): ImportFinding {
  const position = { file, line: 1, column: 1, length: 1 };
  return { kind: 'lost', position, message: `no permissions of ${title} are in this file` };
}

function importerOf(name: string | undefined): Importer {
  const importer = IMPORTERS.find((each) => each.name === name);
  if (importer !== undefined) return importer;
  const known = `give one of ${NAMES.join(', ')}`;
  if (name === undefined) throw new UsageError(`Cannot import: ${known}`);
  throw new UsageError(`Cannot import from "${name}": ${didYouMean(name, NAMES, known)}`);
}

/** The settings of a user are beside nothing but themselves; those of a project are in its folder. */
function rootOf(file: string, io: Io): string {
  return resolve(io.cwd, file).startsWith(join(homeOf(io), '.claude/')) ? '~/.claude' : '.';
}

function homeOf({ env }: Io): string {
  return env['HOME'] ?? homedir();
}

/** Approvals hold in the repository that the file is from. */
function scopeOf(file: string, { cwd }: Io): { scope: JsonObject; extra: readonly ImportFinding[] } {
  const repository = repositoryAt(file === '-' ? cwd : dirname(resolve(cwd, file)));
  if (repository?.name != null) return { scope: { repository: repository.name }, extra: [] };
  if (repository?.root !== undefined) return { scope: { repository_root: repository.root }, extra: [] };
  const position = { file, line: 1, column: 1, length: 1 };
  const message = 'the file is in no repository, so its approvals hold everywhere';
  return { scope: {}, extra: [{ kind: 'wide', position, message }] };
}

/** Findings that do no harm if nobody reads them. */
const NOTES: readonly FindingKind[] = ['differs', 'left-out'];

/** Findings in the order of the file, each as place, severity, kind and message. */
function findingLines(findings: readonly ImportFinding[], paint: Paint): readonly string[] {
  return [...findings].sort(compare).map(({ kind, position, message, hint }) => {
    const place = `${position.file}:${position.line}:${position.column}`;
    const label = NOTES.includes(kind) ? paint.cyan('note') : paint.yellow('warning');
    const title = `${paint.bold(printable(place))} ${label} ${kind}  ${printable(message)}`;
    return hint === undefined ? title : `${title}\n    ${printable(hint)}`;
  });
}

function compare(a: ImportFinding, b: ImportFinding): number {
  return a.position.line - b.position.line || a.position.column - b.position.column;
}
