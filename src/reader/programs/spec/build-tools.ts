import { programFamily } from './rows.ts';

const COMPILERS: ReadonlySet<string> = new Set(
  'autoconf automake autoreconf c++ cc clang clang++ g++ gcc ghc javac meson rustc venv virtualenv'.split(
    ' ',
  ),
);

/** Subcommands that only look. */
const LOOKS: ReadonlySet<string> = new Set(
  'audit bin config doctor env explain freeze fund get help info la list ll ls metadata outdated ping prefix root search show tree v version view whoami why'.split(
    ' ',
  ),
);

/** Programs, and modules of Python, that make files out of a project's own. */
export function isBuildTool(name: string): boolean {
  return programFamily(name) === 'packages' || COMPILERS.has(name);
}

/**
 * True if a build tool may make something when it is called so.
 *
 * @param flags their names
 * @param first the first operand, the empty text if that is not known; undefined if there is none
 */
export function mayBuild(name: string, flags: readonly string[], first: string | undefined): boolean {
  if (!isBuildTool(name) || (first !== undefined && LOOKS.has(first))) return false;
  if (flags.some((flag) => /^(?:--help|--version|-V)$/.test(flag))) return false;
  if (first === undefined && flags.some((flag) => /^-(?:v|h)$|^-dump/.test(flag))) return false;
  return !(
    /^g?make$/.test(name) &&
    flags.some((flag) => /^(?:-[nq]|--(?:dry-run|just-print|recon|question))$/.test(flag))
  );
}
