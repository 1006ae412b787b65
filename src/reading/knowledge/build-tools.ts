import { PACKAGE_PROGRAMS } from './package-programs.ts';

const COMPILERS: ReadonlySet<string> = new Set([
  'autoconf',
  'automake',
  'autoreconf',
  'c++',
  'cc',
  'clang',
  'clang++',
  'g++',
  'gcc',
  'ghc',
  'javac',
  'meson',
  'rustc',
  'venv',
  'virtualenv',
]);

/** Programs, and modules of Python, that make files out of a project's own. */
export function isBuildTool(name: string): boolean {
  return Object.hasOwn(PACKAGE_PROGRAMS, name) || COMPILERS.has(name);
}
