import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import standaloneCode from 'ajv/dist/standalone';
import { load } from 'js-yaml';
import type { SetFile } from '../src/language/policy/compile/resolve.ts';
import { ALWAYS_LOADED } from '../src/language/policy/files/discovery.ts';
import type { SchemaError } from '../src/language/policy/schema/schema-errors.ts';
import { problem, startOf } from '../src/language/policy/yaml/problem.ts';
import { child } from '../src/lib/child.ts';
import { sha256Hex } from '../src/lib/digest.ts';
import type { JsonObject } from '../src/lib/json.ts';
import { compileRegex } from '../src/lib/regex/regex.ts';
import type { Diagnostic } from '../src/model/diagnostic.ts';
import type { ConsoleProgram } from '../src/reader/programs/readers/consoles.ts';
import type { CodeFile } from './code-rows.ts';
import type { ConsoleFile } from './console-rows.ts';
import { docsPages } from './docs-pages.ts';
import type { ReaderCode } from './plain-programs.ts';

const ROOT = join(import.meta.dir, '..');
const HEADER = '// Written by scripts/generate.ts; changes are lost.\n';

/** The rows to which the adapters of hosts add. */
const AGENTS = 'agents';

/** Files of readers that only work out the output of a program. */
const PRINTING: ReadonlySet<string> = new Set(['printers', 'line-filters']);

if (process.argv[2] === 'playground') await writePlayground();
else await writeAll();

async function writeAll(): Promise<void> {
  // The packs are compiled with the validator and tried with the programs, so these come first; all of it knows the guards.
  // Policies name detectors, so the forms of secrets come before all.
  await writeTokens();
  await writeGuards();
  await writeValidators();
  await writePrograms();
  await writeCode();
  await writeConsoles();
  await writeReaderFiles();
  await writePlainPrograms();
  await writeSecretMarks();
  await writePacks();
  writeStarters();
  writeOrganisation();
  writeDocs();
  writeBuildInfo();
  // In a process of its own: this one may have listed the folders before all of their files were there.
  execFileSync(process.execPath, [import.meta.path, 'playground'], { stdio: 'inherit' });
}

/** The page for trying policies. It holds the engine, so all else that is generated comes first. */
async function writePlayground(): Promise<void> {
  const { playgroundPage } = await import('./playground.ts');
  write(
    'tools/generated/playground.ts',
    `export const PLAYGROUND = ${JSON.stringify(await playgroundPage())};\n`,
  );
}

/** Writes a file into a room's folder of generated files. */
function write(name: string, text: string): void {
  const path = join(ROOT, 'src', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, HEADER + text);
}

/** Writes the guards of the agents of all hosts, so that a process judges calls that use a path without loading the hosts. */
async function writeGuards(): Promise<void> {
  const { globsOf, guardedGlobs } = await import('../src/hosts/guards.ts');
  const { HOSTS } = await import('../src/hosts/registry.ts');
  const all = HOSTS.map(({ guards }) => guards);
  const moved = all.flatMap((guards) => Object.entries(guards.moved ?? {}));
  write(
    'language/generated/guards.ts',
    [
      '/** Globs. */',
      `export const GUARDED: readonly string[] = ${JSON.stringify(all.flatMap(guardedGlobs))};`,
      '/** Globs of what agents keep for themselves among these. */',
      `export const AGENT_NOTES: readonly string[] = ${JSON.stringify(all.flatMap((each) => globsOf(each, 'notes')))};`,
      '/** Globs of texts that agents load, which may carry hooks or servers. */',
      `export const INSTRUCTIONS: readonly string[] = ${JSON.stringify(all.flatMap((each) => globsOf(each, 'instructions')))};`,
      '/** Globs of files that name servers. */',
      `export const SERVERS: readonly string[] = ${JSON.stringify(all.flatMap((each) => globsOf(each, 'servers')))};`,
      '/** Paths in variables, each with its usual place. */',
      `export const MOVED_GUARDS: readonly (readonly [string, string])[] = ${JSON.stringify(moved)};`,
      '',
    ].join('\n'),
  );
}

/** The schemas of policy files and of tests as code, so that nothing compiles a schema at run time. */
async function writeValidators(): Promise<void> {
  const { policySchema } = await import('../src/language/policy/schema/schema.ts');
  const { cellSchema, shapeSchema, stepsSchema } = await import('../src/tools/suite/cases/case-keys.ts');
  writeValidator('language/generated/policy-validator', { validate: policySchema() });
  writeValidator('tools/generated/test-validator', {
    file: shapeSchema(),
    steps: stepsSchema(),
    cell: cellSchema(),
  });
}

function writeValidator(name: string, schemas: Readonly<Record<string, JsonObject>>): void {
  // Ajv tells patterns apart by their text form.
  const linearRegex = Object.assign(
    (source: string) => ({
      test: (text: string) => compileRegex(source).test(text) === true,
      toString: () => source,
    }),
    { code: 'linearRegex' },
  );
  const ajv = new Ajv2020({
    // The program that a list of words begins with has its own form.
    strictTuples: false,
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
    validateFormats: false,
    inlineRefs: false,
    // Lengths count UTF-16 units, as positions do; the option's deprecation notice is noise.
    unicode: false,
    logger: false,
    code: { source: true, esm: true, regExp: linearRegex },
  });
  const errors = "'../../language/policy/schema/schema-errors.ts'";
  const imports = [
    "import { compileRegex as linearRegex } from '../../lib/regex/regex.ts';",
    `import { appendErrors } from ${errors};`,
  ];
  const names = Object.keys(schemas);
  for (const [key, schema] of Object.entries(schemas)) ajv.addSchema(schema, key);
  // The code of Ajv copies all errors so far for each value with more of them.
  const code = standaloneCode(ajv, Object.fromEntries(names.map((key) => [key, key]))).replaceAll(
    /\bvErrors\.concat\(/g,
    'appendErrors(vErrors, ',
  );
  write(`${name}.js`, [...imports, code, ''].join('\n'));
  const type = '{ (value: unknown): boolean; readonly errors?: readonly SchemaError[] | null }';
  write(
    `${name}.d.ts`,
    [
      `import type { SchemaError } from ${errors};`,
      ...names.map((key) => `export const ${key}: ${type};`),
      '',
    ].join('\n'),
  );
}

/**
 * Writes the rows of `programs/*.yaml` as text: a list of the file of each program, and a function for each file, so that a
 * process decodes only the rows that its commands name.
 */
async function writePrograms(): Promise<void> {
  const { programsFileSchema } = await import('../src/language/policy/schema/row-schema.ts');
  const { readRows } = await import('../src/language/policy/parse/read-rows.ts');
  const { HOSTS } = await import('../src/hosts/registry.ts');
  const { withEscapes } = await import('./escape-rows.ts');
  const guards = HOSTS.map((host) => host.guards);
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(programsFileSchema());
  const families: string[] = [];
  const taken = new Map<string, string>();
  for (const path of filesIn(join(ROOT, 'programs'))) {
    const file = path.slice(ROOT.length + 1);
    const family = basename(path, '.yaml');
    const { document, found } = await readChecked(path, validate, programsFileSchema);
    const rows = document === undefined || found.length > 0 ? [] : readRows(document, found).rows;
    const own = new Map(rows.map(({ name, row }) => [name, row] as const));
    const whole = family === AGENTS ? withEscapes(own, guards) : own;
    for (const name of whole.keys()) {
      const other = taken.get(name);
      if (other !== undefined)
        found.push(
          problem('duplicate-id', startOf(file), `Cannot use program "${name}": ${other}.yaml has it`),
        );
      taken.set(name, family);
    }
    refuseFaulty(file, found);
    const lines = [...whole].map(([name, row]) => `\n${name}\t${JSON.stringify(row)}`);
    families.push(`  ${JSON.stringify(family)}: () => ${JSON.stringify(`${lines.join('')}\n`)},\n`);
  }
  const index = [...taken].map(([name, family]) => `\n${name}\t${family}`).join('');
  write(
    'reader/generated/program-rows.ts',
    [
      '/** Names and families: a line feed, the name, a tab, the family. */',
      `export const PROGRAM_INDEX = ${JSON.stringify(`${index}\n`)};`,
      '/** Rows by family: a line feed, the name, a tab, the row as JSON. */',
      `export const PROGRAM_FAMILIES: Readonly<Record<string, () => string>> = {\n${families.join('')}};`,
      '',
    ].join('\n'),
  );
}

/** Writes which files have a reader of which program, so that a process loads only those of its programs. */
async function writeReaderFiles(): Promise<void> {
  const { READER_TABLES } = await import('../src/reader/programs/readers/tables.ts');
  const files = new Map<string, string[]>();
  for (const [file, table] of Object.entries(READER_TABLES))
    for (const name of Object.keys(table())) files.set(name, [...(files.get(name) ?? []), file]);
  const lines = [...files].map(
    ([name, found]) => `  ${JSON.stringify(name)}: ${JSON.stringify(found.join(' '))},\n`,
  );
  write(
    'reader/generated/reader-files.ts',
    `/** Programs by name, and the files of their readers. */\nexport const READER_FILES: Readonly<Record<string, string>> = {\n${lines.join('')}};\n`,
  );
}

/** Programs and subcommands that at most read, in short, for a look at plain scripts. */
async function writePlainPrograms(): Promise<void> {
  const { plainPrograms } = await import('./plain-programs.ts');
  const { PROGRAM_INDEX } = await import('../src/reader/generated/program-rows.ts');
  const { programRow } = await import('../src/reader/programs/spec/rows.ts');
  const { readerFiles } = await import('../src/reader/programs/readers/registry.ts');
  const { wordsOfName } = await import('../src/reader/commands/program-row-name.ts');
  const { READER_FILES } = await import('../src/reader/generated/reader-files.ts');
  const { NO_NAMES } = await import('../src/reader/shell/parse/plain-syntax.ts');
  const { LOADERS } = await import('../src/reader/programs/interpret/loaded-environment.ts');
  const { textWord } = await import('../src/reader/reading/word.ts');
  const { hubCode } = await import('../src/reader/programs/readers/clones.ts');
  const { subcommandCode } = await import('../src/reader/programs/readers/git/git.ts');
  const { CONSOLE_PROGRAMS } = await import('../src/reader/generated/console-rows.ts');
  const consoles: Readonly<Record<string, ConsoleProgram>> = CONSOLE_PROGRAMS;
  // Any other subcommand of git may be an alias.
  const codeBySubcommand: Readonly<Record<string, (name: string) => ReaderCode>> = {
    git: (name) => (name === '*' ? 'acts' : subcommandCode(name)),
    // Their code is about flags that are refused.
    make: () => 'nothing',
    gmake: () => 'nothing',
    gh: hubCode,
    glab: hubCode,
  };
  const names = new Map<string, string[]>();
  for (const line of PROGRAM_INDEX.trim().split('\n')) {
    const [name = ''] = line.split('\t');
    if (LOADERS.has(name) || wordsOfName(textWord(name)) !== undefined) {
      child(names, 'null', () => []).push(name);
      continue;
    }
    const files = readerFiles(name).filter((file) => !PRINTING.has(file));
    const [only, another] = files;
    const settings =
      only === 'consoles' && another === undefined ? settingsOf(consoles[name] ?? {}) : undefined;
    const code =
      codeBySubcommand[name] ??
      ((first: string) =>
        only !== undefined && settings?.subcommands.includes(first) !== false ? 'acts' : 'nothing');
    for (const [subcommand, plain] of plainPrograms(programRow(name) ?? {}, code, settings?.flags))
      child(names, JSON.stringify(plain), () => []).push(subcommand === '' ? name : `${name} ${subcommand}`);
  }
  // Programs that are not named here are not known.
  const named = new Set([...names.values()].flat());
  for (const name of [...Object.keys(READER_FILES), ...NO_NAMES.trim().split(' ')])
    if (!named.has(name)) child(names, 'null', () => []).push(name);
  const lines = [...names].map(([plain, all]) => `\n${plain}\t${all.join('\t')}\t`);
  write(
    'reader/generated/plain-programs.ts',
    [
      '/** A line feed, what holds for some programs as JSON, their names between tabs, with a subcommand behind a space. */',
      `export const PLAIN_PROGRAMS = ${JSON.stringify(lines.join(''))};`,
      '',
    ].join('\n'),
  );
}

/** The flags and subcommands with which alone a program takes commands of its own; undefined if there are other ways. */
function settingsOf({ flags = [], from, subcommands, plus, input, files }: ConsoleProgram) {
  const isOther = (from !== undefined && subcommands === undefined) || plus || files || input !== undefined;
  return isOther ? undefined : { flags, subcommands: subcommands ?? [] };
}

/** Writes the marks of texts with secrets, so that a process loads the detectors for those only. */
async function writeSecretMarks(): Promise<void> {
  const { SECRET_FINDERS } = await import('../src/reader/secrets/detectors.ts');
  const { PROGRAM_INDEX } = await import('../src/reader/generated/program-rows.ts');
  const { programRow } = await import('../src/reader/programs/spec/rows.ts');
  const { literalMarks, secretMarks } = await import('./secret-marks.ts');
  const { shapeOf } = await import('../src/reader/secrets/secret-programs.ts');
  const shapes = new Set<number>();
  let programs = '\n';
  for (const line of PROGRAM_INDEX.trim().split('\n')) {
    const [name = ''] = line.split('\t');
    const marks = secretMarks(programRow(name) ?? {});
    if (marks === undefined) continue;
    shapes.add(shapeOf(name, 0, name.length));
    programs += `${name}\t${marks}\n`;
  }
  write(
    'reader/generated/secret-marks.ts',
    [
      "import type { LiteralMarks } from '../secrets/secret-marks.ts';",
      `export const SECRET_LITERALS: LiteralMarks = ${JSON.stringify(literalMarks(SECRET_FINDERS))};`,
      '/** Programs that are given secrets, each with the letters of its flags, and texts of which one shows where. */',
      `export const SECRET_PROGRAMS = ${JSON.stringify(programs)};`,
      `export const SECRET_SHAPES = ${JSON.stringify(String.fromCharCode(...shapes))};`,
      '',
    ].join('\n'),
  );
}

/** Writes the forms of secrets as text: most texts hold none. */
async function writeTokens(): Promise<void> {
  const { tokenFileSchema } = await import('./token-rows.ts');
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(tokenFileSchema());
  const rows = load(readFileSync(join(ROOT, 'programs/secrets/tokens.yaml'), 'utf8'));
  if (!validate(rows))
    throw new Error(`Cannot build with programs/secrets/tokens.yaml: ${JSON.stringify(validate.errors)}`);
  const text = JSON.stringify(JSON.stringify(rows));
  write('reader/generated/token-rows.ts', `/** As JSON. */\nexport const TOKEN_ROWS = ${text};\n`);
}

/** The rows of `programs/code/*.yaml`, each language as text, so that a process decodes those of its languages only. */
async function writeCode(): Promise<void> {
  const { codeFileSchema, rowsByName } = await import('./code-rows.ts');
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(codeFileSchema());
  const languages: string[] = [];
  const programs: string[] = [];
  for (const path of filesIn(join(ROOT, 'programs', 'code'))) {
    const { document, found } = await readChecked(path, validate, codeFileSchema);
    refuseFaulty(path.slice(ROOT.length + 1), found);
    const file = document?.value as unknown as CodeFile;
    for (const [names, program] of Object.entries(file.programs ?? {}))
      for (const name of names.split(' | '))
        programs.push(
          `  ${JSON.stringify(name)}: ${JSON.stringify({ language: file.language, ...program })},\n`,
        );
    languages.push(
      `  ${file.language}: () => ${JSON.stringify(JSON.stringify({ syntax: file.syntax, calls: rowsByName(file) }))},\n`,
    );
  }
  write(
    'reader/generated/code-rows.ts',
    [
      '/** The syntax of languages, and rows of calls by their last names, as JSON. */',
      `export const CODE_ROWS = {\n${languages.join('')}};`,
      '',
    ].join('\n'),
  );
  write(
    'reader/generated/code-programs.ts',
    `/** Programs that run code, by name. */\nexport const CODE_PROGRAMS = {\n${programs.join('')}} as const;\n`,
  );
}

/** The rows of `programs/consoles/*.yaml`: the programs, and the commands of each file as text. */
async function writeConsoles(): Promise<void> {
  const { consoleFileSchema, wholeCommands } = await import('./console-rows.ts');
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(consoleFileSchema());
  const programs: string[] = [];
  const commands: string[] = [];
  for (const path of filesIn(join(ROOT, 'programs', 'consoles'))) {
    const { document, found } = await readChecked(path, validate, consoleFileSchema);
    refuseFaulty(path.slice(ROOT.length + 1), found);
    const file = document?.value as unknown as ConsoleFile;
    const console = basename(path, '.yaml');
    for (const [names, program] of Object.entries(file.programs))
      for (const name of names.split(' | '))
        programs.push(`  ${JSON.stringify(name)}: ${JSON.stringify({ console, ...program })},\n`);
    commands.push(`  ${console}: () => ${JSON.stringify(JSON.stringify(wholeCommands(file)))},\n`);
  }
  write(
    'reader/generated/console-rows.ts',
    [
      '/** Programs with commands of their own, by name. */',
      `export const CONSOLE_PROGRAMS = {\n${programs.join('')}} as const;`,
      '/** The commands that matter, as JSON. */',
      `export const CONSOLE_COMMANDS = {\n${commands.join('')}};`,
      '',
    ].join('\n'),
  );
}

/** A file of rows, with its faults. */
async function readChecked(path: string, validate: ValidateFunction, schema: () => JsonObject) {
  const { parseYaml } = await import('../src/language/policy/yaml/yaml.ts');
  const { schemaDiagnostics } = await import('../src/language/policy/schema/schema-diagnostics.ts');
  const { document, diagnostics } = parseYaml(readFileSync(path, 'utf8'), path.slice(ROOT.length + 1));
  const found: Diagnostic[] = [...diagnostics];
  if (document !== undefined && !validate(document.value)) {
    const errors = (validate.errors ?? []) as readonly SchemaError[];
    found.push(...schemaDiagnostics(errors, document, schema).map(({ diagnostic }) => diagnostic));
  }
  return { document, found };
}

/** Throws if something is wrong with a file: without its rows the reading would know less, and say so nowhere. */
function refuseFaulty(file: string, found: readonly Diagnostic[]): void {
  for (const { position, code, message, hint } of found)
    console.error(
      `${file}:${position.line}:${position.column} ${code} ${message}${hint === undefined ? '' : `; ${hint}`}`,
    );
  if (found.length > 0) throw new Error(`Cannot build with ${file}: see above`);
}

/** Writes the starters of `policy init`, by name. */
function writeStarters(): void {
  const folder = join(ROOT, 'starters');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const names = readdirSync(folder).filter((name) => name.endsWith('.test.yaml'));
  const texts = Object.fromEntries(
    names.sort().map((name) => {
      const start = basename(name, '.test.yaml');
      return [start, { policy: read(`${start}.yaml`), test: read(name) }];
    }),
  );
  write(
    'tools/generated/starter-texts.ts',
    `export const STARTER_TEXTS: Readonly<Record<string, { readonly policy: string; readonly test: string }>> = ${JSON.stringify(texts, null, 2)};\n`,
  );
}

/** Writes the files of `policy init --org`, by path. */
function writeOrganisation(): void {
  const folder = join(ROOT, 'starters/organisation');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  const texts = Object.fromEntries(
    names.sort().map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]),
  );
  write(
    'tools/generated/organisation-texts.ts',
    `export const ORGANISATION_TEXTS: Readonly<Record<string, string>> = ${JSON.stringify(texts, null, 2)};\n`,
  );
}

/** The pages of the documentation as texts for `policy docs`. */
function writeDocs(): void {
  write(
    'tools/generated/docs-texts.ts',
    `export const DOCS: Readonly<Record<string, string>> = ${JSON.stringify(docsPages(), null, 2)};\n`,
  );
}

/**
 * Every pack as the JSON text of its draft, and its text for `check` and `explain`. Packs with errors fail the build, but
 * only at its end: with their sound policies written, the rest can be worked on.
 */
async function writePacks(): Promise<void> {
  const { parsePolicyFile } = await import('../src/language/policy/parse/parse.ts');
  const { exampleProblems } = await import('../src/language/calls/examples.ts');
  const { factTable } = await import('../src/language/policy/compile/resolve-facts.ts');
  const drafts: Record<string, string> = {};
  const texts: Record<string, string> = {};
  const tests: Record<string, Record<string, string>> = {};
  for (const name of packNames()) {
    const text = readFileSync(join(ROOT, 'policies', name, 'policy.yaml'), 'utf8');
    const { draft, diagnostics: found } = parsePolicyFile(text, `builtin:${name}`, name);
    const diagnostics = [...found];
    if (draft !== undefined) {
      const at = `builtin:${name}`;
      const file: SetFile = {
        file: at,
        path: at,
        root: undefined,
        pack: name,
        layer: 'builtin',
        draft,
        data: [],
      };
      const facts = factTable([file], diagnostics);
      const rules = draft.rules.flatMap((rule) => facts.resolve(rule, file) ?? []);
      diagnostics.push(...exampleProblems(rules, draft.examples));
    }
    for (const { position, code, message } of diagnostics) {
      console.error(`policies/${name}/policy.yaml:${position.line}:${position.column} ${code} ${message}`);
    }
    if (draft === undefined || diagnostics.some(({ severity }) => severity === 'error')) process.exitCode = 1;
    if (draft === undefined) continue;
    drafts[name] = JSON.stringify({ ...draft, examples: [] });
    texts[name] = text;
    tests[name] = testsOf(name);
  }
  for (const name of ALWAYS_LOADED.filter((name) => !Object.hasOwn(drafts, name))) {
    console.error(`Cannot build without pack "${name}": policies/${name}/policy.yaml gives none`);
    process.exitCode = 1;
    // Whoever builds all the same must not get a guard that lets everything through.
    const text =
      'version: 1\npolicies:\n  - {id: broken, action: deny, reason: this pack could not be built}\n';
    drafts[name] = JSON.stringify(parsePolicyFile(text, `builtin:${name}`, name).draft);
    texts[name] = text;
  }
  write(
    'language/generated/packs.ts',
    `export const PACKS: Readonly<Record<string, string>> = ${JSON.stringify(drafts, null, 2)};\n`,
  );
  write(
    'language/generated/pack-texts.ts',
    `export const PACK_TEXTS: Readonly<Record<string, string>> = ${JSON.stringify(texts, null, 2)};\n`,
  );
  write(
    'language/generated/pack-tests.ts',
    `export const PACK_TESTS: Readonly<Record<string, Readonly<Record<string, string>>>> = ${JSON.stringify(tests, null, 2)};\n`,
  );
}

/** The test files of a pack by their names. */
function testsOf(pack: string): Record<string, string> {
  const folder = join(ROOT, 'policies', pack);
  const names = readdirSync(folder).filter((name) => name.endsWith('.test.yaml'));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function packNames(): readonly string[] {
  return filesBelow(join(ROOT, 'policies'))
    .map((path) => path.slice(join(ROOT, 'policies').length + 1).split(/[\\/]/))
    .flatMap(([name, file, ...rest]) =>
      name !== undefined && file === 'policy.yaml' && rest.length === 0 ? [name] : [],
    );
}

function writeBuildInfo(): void {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const sources = [join(ROOT, 'src'), join(ROOT, 'policies'), join(ROOT, 'programs')]
    .flatMap(filesBelow)
    .filter((path) => !path.includes('/generated/'))
    .concat(join(ROOT, 'package-lock.json'));
  const parts = sources.flatMap((path) => [path.slice(ROOT.length + 1), readFileSync(path)]);
  const info = { version, commit: commit(), digest: sha256Hex([Bun.version, ...parts]) };
  write(
    'language/generated/build-info.ts',
    [
      '/** Set by build.ts in binaries. */',
      'declare const BUILD_TARGET: string;',
      '',
      'export const BUILD_INFO = {',
      ...Object.entries(info).map(([key, value]) => `  ${key}: '${value}',`),
      "  target: typeof BUILD_TARGET === 'string' ? BUILD_TARGET : 'source',",
      '} as const;',
      '',
    ].join('\n'),
  );
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, stdio: 'pipe' }).toString().trim();
  } catch {
    return 'unknown';
  }
}

/** The files in a folder itself, sorted. */
function filesIn(folder: string): readonly string[] {
  return filesBelow(folder).filter((path) => dirname(path) === folder);
}

/** All files below a folder, sorted. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
