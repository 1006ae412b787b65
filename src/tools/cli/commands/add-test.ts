import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { DecisionRecord } from '../../../hook/audit/record.ts';
import { createEngine, type Engine } from '../../../language/engine/engine.ts';
import { displayPath } from '../../../language/policy/files/folders.ts';
import { readPolicyFile } from '../../../language/policy/files/read-file.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { errorsIn } from '../../../model/diagnostic.ts';
import { caseFromRecord, type RecordedCase } from '../../compare/case-from-record.ts';
import { resultFromRecord } from '../../compare/result-from-record.ts';
import { verdictOf } from '../../compare/verdict.ts';
import { parseTestFile } from '../../suite/cases/parse-test-file.ts';
import type { TestCase } from '../../suite/cases/test-case.ts';
import { ACTION_NAMES } from '../../suite/expect/expect-keys.ts';
import { addCase, fileWithCase } from '../../suite/record/add-case.ts';
import { addResult } from '../../suite/record/add-result.ts';
import { answerCase, differencesOf } from '../../suite/run-case.ts';
import { testedNames } from '../../suite/run-suite.ts';
import { type Arguments, optionValue } from '../args.ts';
import { isSharedFile } from '../check/shared-file.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { optionsOf } from '../options.ts';
import { loggedDecisions } from '../past/recorded-calls.ts';
import { compileFor } from '../policy-place.ts';
import { isTestName } from '../test/find-suites.ts';
import { suitePorts } from '../test/suite-ports.ts';
import { writeWhole } from '../write-text.ts';

export const addTest = {
  operands: 'DECISION_ID',
  options: optionsOf({
    '--to FILE': 'The test file; by default, the one next to the policy that decided',
    '--expect ACTION': 'The action to expect, if not the one that was decided',
    '--name TEXT': 'The name of the case',
    '--record FILE':
      'Write the result of a call into this recording instead, for action: respond with recorded',
  }),
  details: [
    'DECISION_ID is the decision_id of a log record, its beginning, or the code of a refusal. The log must have kept the\nmessage (policy install --log-input), without secrets. The case works for any agent and directory; if the policies would\nthen decide differently, it names both.',
    'The case is appended to the file, which is created if needed. The rest of the file stays the same.',
    '--record takes the decision on the result of a call (after_tool), and writes the result as the policies\nleave it, without secrets. An equal call that is there gets the new result.',
  ],
  example: [
    '$ policy add-test 8f2ac0de11223344-3',
    'Added "deny: shell git push -f" to .policy/git.test.yaml:31',
  ],
  async run(args, io) {
    const [id, ...others] = args.operands;
    if (id === undefined || others.length > 0)
      throw new UsageError('Cannot add a test: name one decision by its id, as policy log -v shows it');
    const record = recordOf(id, io);
    const recording = optionValue(args, 'record');
    if (recording !== undefined) return writeResult(record, resolve(io.cwd, recording), io);
    const made = caseFromRecord(record, {
      name: optionValue(args, 'name'),
      action: actionIn(args),
      home: io.env['HOME'] ?? io.env['USERPROFILE'],
    });
    if (!made.ok)
      throw new UsageError(`Cannot make a test of decision "${record.decision_id}": ${made.cause}`);
    const path = resolve(io.cwd, optionValue(args, 'to') ?? testFileOf(record, io));
    const engine = engineFor(path, io);
    const testCase = caseFor(made, engine);
    const line = write(path, testCase, io);
    io.stdout.write(`Added "${String(testCase['name'])}" to ${displayPath(path, io.cwd)}:${line}\n`);
    if (engine !== undefined && !passes(testCase, engine))
      io.stderr.write('The case fails by the policies as they are now: policy test shows how\n');
    return EXIT_CODE.ok;
  },
} satisfies Command;

/** Writes the result of a call into a recording. */
function writeResult(record: DecisionRecord, path: string, io: Io): number {
  const file = displayPath(path, io.cwd);
  const made = resultFromRecord(record, createEngine(compileFor(io, []).program));
  if ('cause' in made) throw new UsageError(`Cannot record decision "${record.decision_id}": ${made.cause}`);
  if (!/\.ya?ml$/.test(path)) throw new UsageError(`Cannot record to "${file}": name a *.yaml or *.yml file`);
  const read = existsSync(path) ? readPolicyFile(path, undefined) : { ok: true as const, text: '' };
  if (!read.ok) throw new UsageError(`Cannot read "${file}": ${read.cause}`);
  const added = addResult(read.text, made.result);
  if (!added.ok) throw new UsageError(`Cannot record to "${file}": ${added.cause}`);
  writeWhole(path, added.text);
  io.stdout.write(`Recorded the result of ${made.result.tool} in ${file}\n`);
  return EXIT_CODE.ok;
}

function recordOf(id: string, io: Io): DecisionRecord {
  const found = loggedDecisions(io.env).filter(
    ({ decision_id, code }) => decision_id.startsWith(id) || code === id,
  );
  const exact = found.find(({ decision_id }) => decision_id === id);
  const [first, second] = found;
  if (exact !== undefined) return exact;
  if (first === undefined) throw new UsageError(`Cannot find decision "${id}" in the log`);
  if (second !== undefined)
    throw new UsageError(`Cannot tell which decision "${id}" means: ${found.length} ids begin with it`);
  return first;
}

function actionIn(args: Arguments): string | undefined {
  const action = optionValue(args, 'expect');
  if (action === undefined || ACTION_NAMES.includes(action)) return action;
  throw new UsageError(`Cannot use --expect "${action}": give one of ${ACTION_NAMES.join(', ')}`);
}

/** The test beside the policy that decided: of the same name, or the only one in its folder. */
function testFileOf({ policy }: DecisionRecord, io: Io): string {
  const hint = 'name a test file with --to';
  if (policy === undefined)
    throw new UsageError(`Cannot tell where the test belongs, for no policy decided: ${hint}`);
  const rule = compileFor(io, []).program.rules.find(({ id }) => id === policy);
  const file = rule?.position.file;
  if (file === undefined || isSharedFile(file))
    throw new UsageError(`Cannot tell where the test belongs, for ${policy} is not in a file here: ${hint}`);
  const path = resolve(io.cwd, file);
  const own = join(dirname(path), `${basename(path).replace(/\.ya?ml$/, '')}.test.yaml`);
  const others = readdirSync(dirname(path)).filter(isTestName);
  const [only] = others;
  return !existsSync(own) && only !== undefined && others.length === 1 ? join(dirname(path), only) : own;
}

function write(path: string, testCase: JsonObject, io: Io): number {
  const file = displayPath(path, io.cwd);
  if (!isTestName(path))
    throw new UsageError(`Cannot add a test to "${file}": tests are in files called *.test.yaml`);
  if (!existsSync(path)) {
    writeWhole(path, fileWithCase(testCase));
    return 3;
  }
  const read = readPolicyFile(path, undefined);
  if (!read.ok) throw new UsageError(`Cannot read "${file}": ${read.cause}`);
  if (!parseTestFile(read.text, file).ok)
    throw new UsageError(`Cannot add a test to "${file}": it is broken; policy test shows where`);
  const added = addCase(read.text, testCase);
  if (!added.ok) throw new UsageError(`Cannot add a test to "${file}": ${added.cause}`);
  const check = parseTestFile(added.text, file);
  if (!check.ok) throw new Error(`The case breaks ${file}: ${check.diagnostics[0]?.message}`);
  writeWhole(path, added.text);
  return added.line;
}

/** The policies that the file is about; undefined if they are unknown or cannot be loaded. */
function engineFor(path: string, io: Io): Engine | undefined {
  const ports = suitePorts(io);
  const read = ports.readText(path);
  const parsed = read.ok ? parseTestFile(read.text, path) : undefined;
  const policies = parsed?.ok === true ? parsed.testFile.policies : undefined;
  const { program, diagnostics } = ports.load(testedNames(policies, path));
  return errorsIn(diagnostics).length > 0 ? undefined : createEngine(program);
}

/** The case for any host and directory, unless these policies decide otherwise there. */
function caseFor(
  { testCase, portable }: Extract<RecordedCase, { readonly ok: true }>,
  engine: Engine | undefined,
): JsonObject {
  if (portable === undefined) return testCase;
  if (engine === undefined) return portable;
  const decided = (one: JsonObject) => {
    const test = onlyCase(one);
    const { action, policy } = verdictOf(answerCase(test, { engine }).answer);
    return `${action} ${policy}`;
  };
  return decided(portable) === decided(testCase) ? portable : testCase;
}

function passes(testCase: JsonObject, engine: Engine): boolean {
  const test = onlyCase(testCase);
  return differencesOf(test, answerCase(test, { engine })).length === 0;
}

/** A case as a file of its own has it. */
function onlyCase(testCase: JsonObject): TestCase {
  const parsed = parseTestFile(fileWithCase(testCase), 'case.test.yaml');
  const [test] = parsed.ok ? parsed.testFile.cases : [];
  if (test === undefined) throw new Error('the case makes no test file');
  return test;
}
