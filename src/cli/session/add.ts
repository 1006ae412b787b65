import { basename } from 'node:path';
import { textDigest } from '../../lib/digest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { parsePolicyFile } from '../../policy/parse.ts';
import { isPolicyName } from '../../policy/source.ts';
import { diagnosticsText } from '../../report/diagnostics-text.ts';
import { sessionFiles, stageSessionFile } from '../../state/session-store.ts';
import type { Arguments } from '../args.ts';
import { EXIT_CODE } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { paintFor } from '../print.ts';
import { readInput } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';
import { problemsOf } from './try-file.ts';

const STDIN = '<stdin>';

/** What became of a file, in words. */
type Added =
  | { readonly said: string }
  | { readonly problems: readonly Diagnostic[] }
  | { readonly cause: string };

/** Adds a file to the sessions in a directory, if all of it only restricts. */
export async function addFile(
  operands: readonly string[],
  { switches }: Arguments,
  directory: string,
  io: Io,
): Promise<number> {
  const [name, ...others] = operands;
  if (name === undefined || others.length > 0)
    throw new UsageError('Cannot add policies: name one file, or - for standard input');
  const text = await readInput(name, 'policies', io);
  const shown = name === '-' ? STDIN : name;
  const added = add(text, shown, directory, io);
  const isAdded = 'said' in added;
  if (switches.has('as-tool')) {
    const words =
      'problems' in added ? problemsText(added.problems, text, shown, io, false) : Object.values(added)[0];
    io.stdout.write(`${JSON.stringify({ for_llm: words, is_error: !isAdded })}\n`);
    return EXIT_CODE.ok;
  }
  if (isAdded) {
    io.stdout.write(`${added.said}\n`);
    return EXIT_CODE.ok;
  }
  if ('cause' in added) {
    io.stderr.write(`${added.cause}\n`);
    return EXIT_CODE.findings;
  }
  io.stderr.write(`${problemsText(added.problems, text, shown, io, true)}\n`);
  return EXIT_CODE.invalidPolicy;
}

function add(text: string, shown: string, directory: string, io: Io): Added {
  // The same text has the same name: adding it twice adds nothing.
  const base =
    shown === STDIN ? `session-${textDigest(text).slice(0, 8)}` : basename(shown).replace(/\.ya?ml$/, '');
  const { draft, diagnostics } = parsePolicyFile(text, shown, base);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (draft === undefined || errors.length > 0) return { problems: errors };
  const { name: id } = draft;
  if (!isPolicyName(`${id}.yaml`))
    return { cause: `Cannot add "${id}": that is how tests are named; give the file another "name"` };
  const there = sessionFiles(io.env, directory).find((file) => file.id === id);
  if (there !== undefined && there.text === text) return { said: addedText(id, there.directory) };
  const taken = {
    cause: `Cannot add "${id}" again: there are policies of that name; give the file another "name"`,
  };
  if (there !== undefined) return taken;
  const staged = stageSessionFile(io.env, id, text);
  try {
    const problems = problemsOf({ folder: staged.folder, id, text, shown }, directory, io);
    if (problems.length > 0) return { problems };
    return staged.keep(directory) === 'kept' ? { said: addedText(id, directory) } : taken;
  } finally {
    staged.end();
  }
}

function addedText(id: string, directory: string): string {
  return `Added ${id}: in force in sessions in ${directory} and below`;
}

function problemsText(
  problems: readonly Diagnostic[],
  text: string,
  shown: string,
  io: Io,
  isColoured: boolean,
): string {
  const paint = paintFor(io.stderr, isColoured ? io.env : { ...io.env, NO_COLOR: '1', FORCE_COLOR: '' });
  const sourceOf = (file: string) => (file === shown ? text : undefined);
  return diagnosticsText(problems, { paint, sourceOf }).join('\n');
}
