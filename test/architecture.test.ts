import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dir, '..');
const DOC = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

function section(name: string): string {
  const start = DOC.indexOf(`<!-- ${name} -->`);
  const end = DOC.indexOf(`<!-- /${name} -->`);
  expect(start).toBeGreaterThan(-1);
  return DOC.slice(start, end);
}

const LEVELS = new Map<string, number>();
for (const [, level, folders] of section('levels').matchAll(/^\| (\d+) \| ([^|]+) \|/gm)) {
  for (const folder of (folders ?? '').split(',')) LEVELS.set(folder.trim(), Number(level));
}
/** Folders that have an order of their own: groups, lowest first. */
const FLOORS = [...section('floors').matchAll(/^\| ([a-z/]+) \| ([^|]+) \|/gm)]
  .filter(([, folder]) => folder !== 'folder')
  .map(([, folder, floors]) => ({
    folder: `src/${folder}`,
    floors: (floors ?? '').split('<').map((group) => group.split(',').map((each) => each.trim())),
  }));
const OUTSIDE = [...section('outside').matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? '');

interface Source {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sources(): readonly Source[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('/generated/'))
    .map((name) => {
      const path = `src/${name}`;
      const text = readFileSync(join(ROOT, path), 'utf8');
      const found = [...text.matchAll(/(?:from|import\(|require\()\s*'(\.[^']+)'/g)].map(
        ([, to]) => to ?? '',
      );
      return {
        path,
        folder: folderOf(path),
        text,
        imports: found.map((to) => normalize(join(dirname(path), to))),
      };
    });
}

function folderOf(path: string): string {
  const parts = path.split('/');
  return parts.length === 2 ? (parts[1] ?? '').replace(/\.ts$/, '') : (parts[1] ?? '');
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

const ALL = sources();

describe('architecture', () => {
  test('every folder has a level', () => {
    expect(ALL.filter(({ folder }) => !LEVELS.has(folder)).map(({ path }) => path)).toEqual([]);
  });

  test('imports go down, never up or sideways', () => {
    const wrong = ALL.flatMap(({ path, folder, imports }) =>
      imports
        .filter(
          (to) => folderOf(to) !== folder && (LEVELS.get(folderOf(to)) ?? 99) >= (LEVELS.get(folder) ?? 0),
        )
        .map((to) => `${path} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  test('imports within a folder that has floors go down them', () => {
    const wrong = FLOORS.flatMap(({ folder, floors }) => {
      const floorOf = (path: string) => {
        const [first = '', ...rest] = path.slice(folder.length + 1).split('/');
        return floors.findIndex((group) => group.includes(rest.length === 0 ? '.' : first));
      };
      const isBeside = (a: string, b: string) => floorOf(a) === floorOf(b) && partOf(a) !== partOf(b);
      const partOf = (path: string) =>
        path
          .slice(folder.length + 1)
          .split('/')
          .slice(0, -1)[0] ?? '.';
      return ALL.filter(({ path }) => path.startsWith(`${folder}/`)).flatMap(({ path, imports }) => [
        ...(floorOf(path) < 0 ? [`${path} stands on no floor`] : []),
        ...imports
          .filter((to) => to.startsWith(`${folder}/`) && (floorOf(to) > floorOf(path) || isBeside(to, path)))
          .map((to) => `${path} imports ${to}`),
      ]);
    });
    expect(FLOORS.length).toBeGreaterThan(1);
    expect(wrong).toEqual([]);
  });

  test('imports have no cycles', () => {
    const graph = new Map(ALL.map(({ path, imports }) => [path, imports]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
        return;
      }
      if (done.has(path)) return;
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const { path } of ALL) visit(path, []);
    expect(cycles).toEqual([]);
  });

  test('only the listed files touch the outside world', () => {
    const banned =
      /\b(process\.|console\.|Bun\.(?!hash|CryptoHasher|TOML|semver)|setTimeout|setInterval|fetch\(|Date\.now|performance\.)|'(node:(fs|child_process|net|http|https|os)|bun:sqlite)'/;
    const wrong = ALL.filter(
      ({ path }) =>
        !OUTSIDE.some((allowed) => path === allowed || (allowed.endsWith('/') && path.startsWith(allowed))),
    )
      .filter(({ text }) => banned.test(withoutComments(text)))
      .map(({ path, text }) => `${path}: ${withoutComments(text).match(banned)?.[0]}`);
    expect(wrong).toEqual([]);
  });

  test('the list of files that touch the outside world names only files that are there', () => {
    const missing = OUTSIDE.filter(
      (allowed) => !ALL.some(({ path }) => path === allowed || path.startsWith(allowed)),
    );
    expect(missing).toEqual([]);
  });

  test('the documents for maintainers name only files that are there', () => {
    const named = [...DOC.matchAll(/(?<![\w.*])[\w/-]+\.ts\b/g)].map(([path]) => path);
    const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    for (const [, path = ''] of contributing.matchAll(/`([\w-]+\/[\w/-]+\.ts)`/g)) named.push(path);
    const files = ['.', 'scripts', 'src', 'test'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' }),
    );
    expect(named.length).toBeGreaterThan(30);
    const isThere = (path: string) =>
      files.some((file) => {
        const part = path.replace(/^(src|test|scripts)\//, '');
        return file === path || (path.includes('/') && `/${file}`.endsWith(`/${part}`));
      });
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });

  test('no file leaves work for later or loosens a type', () => {
    const later = /\b(TODO|FIXME|XXX|HACK)\b|@ts-ignore|@ts-nocheck/;
    const loose = /\bas any\b|: any\b/;
    const wrong = ALL.filter(({ text }) => later.test(text) || loose.test(withoutComments(text)));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});
