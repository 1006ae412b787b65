import { readCall } from '../../language/calls/read-call.ts';
import { besideMistakes, parseYaml, type YamlDocument } from '../../language/policy/yaml/yaml.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { FILE_KEYS } from './case-keys.ts';
import type { SampleCalls } from './case-parts.ts';
import { type CaseReader, checkKeys, complain, complainAll, textAt, wrongType } from './case-reader.ts';
import { readCase } from './read-case.ts';
import type { TestCase, TestFile } from './test-case.ts';

/** What became of a test file: all of its cases, or everything that is wrong with it. */
export type ParsedTestFile =
  | { readonly ok: true; readonly testFile: TestFile; readonly document: YamlDocument }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a test file strictly. Reports everything that is wrong with it at once.
 *
 * @param file how positions name it
 * @param recording true if outputs will be recorded: then a raw case may expect nothing yet
 */
export function parseTestFile(text: string, file: string, recording = false): ParsedTestFile {
  const { document: sound, meant, diagnostics: mistakes } = parseYaml(text, file);
  const document = sound ?? meant;
  if (document === undefined) return { ok: false, diagnostics: mistakes };
  const diagnostics = [...mistakes];
  const testFile = readFile({ document, diagnostics }, file, recording);
  if (sound === undefined) return { ok: false, diagnostics: besideMistakes(diagnostics, mistakes) };
  return testFile === undefined || diagnostics.length > 0
    ? { ok: false, diagnostics }
    : { ok: true, testFile, document };
}

function readFile(reader: CaseReader, file: string, recording: boolean): TestFile | undefined {
  const root = reader.document.value;
  if (!isJsonObject(root)) {
    wrongType(reader, [], root, 'a mapping with "cases"');
    return undefined;
  }
  checkKeys(reader, root, [], Object.keys(FILE_KEYS), 'the file');
  const version = own(root, 'version');
  if (version !== undefined && version !== 1) {
    complain(reader, 'bad-value', ['version'], `Cannot use version ${JSON.stringify(version)}`, 'write 1');
  }
  textAt(reader, root, 'description', []);
  const samples = readSamples(reader, root);
  return { file, policies: readPolicies(reader, root), cases: readCases(reader, root, samples, recording) };
}

function readPolicies(reader: CaseReader, root: JsonObject): readonly string[] | undefined {
  const value = own(root, 'policies');
  if (value === undefined) return undefined;
  if (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'string' && item !== '')
  ) {
    return value as readonly string[];
  }
  wrongType(reader, ['policies'], value, 'a list of files, folders or builtin:NAME');
  return undefined;
}

/** The calls that a file names. */
export function readSamples(reader: CaseReader, root: JsonObject): SampleCalls {
  const value = own(root, 'calls');
  const samples: SampleCalls = new Map();
  if (value === undefined) return samples;
  if (!isJsonObject(value)) {
    wrongType(reader, ['calls'], value, 'a mapping from names to calls');
    return samples;
  }
  for (const [name, written] of Object.entries(value)) {
    const reading = readCall(written);
    samples.set(name, reading.ok ? reading.call : undefined);
    if (!reading.ok) complainAll(reader, ['calls', name], reading.problems);
  }
  return samples;
}

function readCases(
  reader: CaseReader,
  root: JsonObject,
  samples: SampleCalls,
  recording: boolean,
): readonly TestCase[] {
  const value: Json | undefined = own(root, 'cases');
  if (value === undefined) {
    complain(reader, 'missing-key', [], 'Cannot use the file: it has no cases', 'add "cases"');
    return [];
  }
  if (!Array.isArray(value) || value.length === 0) {
    wrongType(reader, ['cases'], value, 'a list of cases');
    return [];
  }
  return value.flatMap((item: Json, index) => readCase(reader, item, index, samples, recording));
}
