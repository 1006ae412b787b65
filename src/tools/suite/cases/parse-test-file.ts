import { readCall } from '../../../language/calls/read-call.ts';
import { problem } from '../../../language/policy/yaml/problem.ts';
import { independentFindings, parseYaml } from '../../../language/policy/yaml/yaml.ts';
import { asObject, isJsonObject, type JsonObject, ownItems, ownObject, ownTexts } from '../../../lib/json.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { SampleCalls } from './case-parts.ts';
import { type CaseReader, complainAll } from './case-reader.ts';
import { readCase } from './read-case.ts';
import { shapeProblems } from './shape-problems.ts';
import type { TestFile } from './test-case.ts';

/** All cases of a test file, or all of its problems. */
export type ParsedTestFile =
  | { readonly ok: true; readonly testFile: TestFile }
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
  if (ownItems(asObject(document.value), 'policies').some(isJsonObject)) {
    const message = 'Cannot use policies in a test file: nothing reads them, so they are not in force';
    const place = document.positionOf(['policies'], 'key');
    const misplaced = problem('bad-value', place, message, 'name the file *.yaml without ".test"');
    return { ok: false, diagnostics: [...mistakes, misplaced] };
  }
  const unsound = shapeProblems(document, 'file');
  const diagnostics = [...mistakes, ...unsound.map(({ diagnostic }) => diagnostic)];
  const isSound = (index: number) => !unsound.some(({ path }) => path[0] === 'cases' && path[1] === index);
  const testFile = readFile({ document, diagnostics }, recording, isSound);
  if (sound === undefined) return { ok: false, diagnostics: independentFindings(diagnostics, mistakes) };
  return diagnostics.length > 0 ? { ok: false, diagnostics } : { ok: true, testFile };
}

/** Reads the cases whose shape is sound. */
function readFile(reader: CaseReader, recording: boolean, isSound: (index: number) => boolean): TestFile {
  const root = asObject(reader.document.value);
  const samples = readSamples(reader, root);
  return {
    policies: Object.hasOwn(root, 'policies') ? ownTexts(root, 'policies') : undefined,
    policiesAt: ownTexts(root, 'policies').map((_, index) =>
      reader.document.positionOf(['policies', index], 'value'),
    ),
    cases: ownItems(root, 'cases').flatMap((item, index) =>
      isJsonObject(item) && isSound(index) ? readCase(reader, item, index, samples, recording) : [],
    ),
  };
}

export function readSamples(reader: CaseReader, root: JsonObject): SampleCalls {
  const samples: SampleCalls = new Map();
  for (const [name, written] of Object.entries(ownObject(root, 'calls') ?? {})) {
    const reading = readCall(written);
    samples.set(name, reading.ok ? reading.call : undefined);
    if (!reading.ok) complainAll(reader, ['calls', name], reading.problems);
  }
  return samples;
}
