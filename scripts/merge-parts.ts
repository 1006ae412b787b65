import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { BunPlugin } from 'bun';
import { child } from '../src/lib/child.ts';

const ROOT = join(import.meta.dir, '..');
/**
 * The files that nearly every call loads, in this order: each with all that it imports, without the imports of those before it.
 * The bundler makes a part of its own for each set of files that the same places load, which would be a hundred for one call.
 */
const PARTS: readonly (readonly string[])[] = [
  ['src/tools/cli/commands/hook.ts', 'src/language/keys/path/texts.ts'],
  [
    'src/hosts/dialect/host-of.ts',
    'src/hosts/dialect/envelope.ts',
    'src/hosts/dialect/hook-line.ts',
    'src/hosts/implied/code-text.ts',
    'src/hosts/implied/implied-call.ts',
    'src/hosts/implied/notebook-commands.ts',
    'src/hosts/implied/worktree-end.ts',
    'src/hosts/recognise.ts',
    'src/hosts/tool-rows.ts',
  ],
  ['src/language/keys/call/shell-reading.ts'],
  ['src/reader/commands/read-command.ts'],
  ['src/language/engine/linked-rule.ts'],
  [
    'src/language/engine/combine.ts',
    'src/language/actions/deny.ts',
    'src/language/engine/template-values.ts',
    'src/hook/past-policies.ts',
    'src/hook/allow-port.ts',
  ],
];

/**
 * Makes one part of the binary of each of these: whatever is loaded later and needs some of a part loads all of it. A
 * call has loaded it by then, so nothing is evaluated earlier than it was.
 */
export function mergeParts(): BunPlugin {
  const scanned = new Map<string, Imports>();
  const importsOf = (file: string) => child(scanned, file, () => scan(file));
  const reach = (files: readonly string[], next: (file: string) => readonly string[]) => {
    const found = new Set(files);
    for (const file of found) for (const each of next(file)) found.add(each);
    return found;
  };
  const withImports = (files: readonly string[]) => reach(files, (file) => importsOf(file).now);
  const parts = PARTS.map((names) => names.map((name) => join(ROOT, name)));
  const owner = new Map<string, readonly string[]>();
  for (const part of parts) for (const file of withImports(part)) if (!owner.has(file)) owner.set(file, part);
  const all = reach([join(ROOT, 'src/main.ts')], (file) => [
    ...importsOf(file).now,
    ...importsOf(file).later,
  ]);
  const entries = new Set([...all].flatMap((file) => importsOf(file).later));
  return {
    name: 'merge-parts',
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        const rootsFor = (files: readonly string[]) =>
          [...withImports(files)].flatMap((file) => owner.get(file) ?? []);
        // A part may need those before it.
        const needed = entries.has(path) ? rootsFor([path, ...rootsFor([path])]) : [];
        const own = owner.get(path) ?? [];
        const roots = [...new Set(needed)].filter((root) => !own.includes(root));
        return { contents: roots.map((root) => importOf(root, path)).join('') + source, loader: 'ts' };
      });
    },
  };
}

interface Imports {
  readonly now: readonly string[];
  /** By `require` and `import()`. */
  readonly later: readonly string[];
}

const TRANSPILER = new Bun.Transpiler({ loader: 'ts' });

function scan(file: string): Imports {
  const found = TRANSPILER.scanImports(readFileSync(file, 'utf8')).filter(({ path }) =>
    /^\..*\.ts$/.test(path),
  );
  const of = (isNow: boolean) =>
    found
      .filter(({ kind }) => (kind === 'import-statement') === isNow)
      .map(({ path }) => join(dirname(file), path));
  return { now: of(true), later: of(false) };
}

function importOf(root: string, from: string): string {
  const path = relative(dirname(from), root);
  return `import ${JSON.stringify(path.startsWith('.') ? path : `./${path}`)};`;
}
