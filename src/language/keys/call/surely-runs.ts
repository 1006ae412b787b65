import type { Facts } from '../../../model/facts.ts';
import type { HidingReason } from '../../../model/history.ts';
import { isProgramFolder } from '../../../reader/commands/run-file.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText, showWord } from '../../../reader/reading/word.ts';

/** Flags with which programs of any kind only show what they would do. */
const ONLY_SHOWS =
  /^(?:-h|--help|--version|-V|--dry-?run|--just-print|--recon|--collect-only|--co|--list-?tests?|--list|--no-run|--setup-plan|--fixtures|--markers|--showConfig|--print-config)$/i;
/** The same as a short flag of programs that use it for this. */
const SHOWS_WITH_N = new Set(['make', 'gmake', 'go', 'ninja', 'rake', 'just']);
/** Variables that decide which code a program runs. */
const CHOOSES_CODE =
  /^(?:PATH|IFS|ENV|BASH_ENV|SHELL|HOME|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|npm_.*|PYTHON(?:PATH|STARTUP|HOME)|RUBYOPT|RUBYLIB|PERL5?(?:LIB|OPT)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|MAKE(?:FLAGS|FILES)|CARGO_.*|RUSTC.*|GOFLAGS|PYTEST_ADDOPTS|JEST_.*|BUN_.*|DENO_.*)$/i;
/** Folders where projects keep the programs that they have installed. */
const INSTALLED = /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/[^/]+$/;

/**
 * Whether a command of a call surely does its work, and does it here: in the repository that the agent works in, and not in another
 * folder, on another machine, by a program of that name that lies elsewhere.
 *
 * @returns what stands against it; undefined if nothing does
 */
export function surelyRuns(facts: Facts): (command: ReadCommand) => HidingReason | undefined {
  let root: string | undefined;
  const isHere = (path: string): boolean => {
    root ??= facts.surroundings.repository?.()?.root ?? String(facts.event.context.cwd ?? '');
    if (!path.startsWith('/')) return path !== '..' && !path.startsWith('../') && !path.startsWith('~');
    const real = facts.surroundings.realPath(path);
    return root !== '' && (real === root || real.startsWith(`${root}/`));
  };
  return (command) => {
    if (command.idle || onlyShows(command)) return 'dry_run';
    const { remote, cwd, program, args, assignments } = command;
    const file = knownText(program);
    const folder = knownText(cwd);
    if (remote || file === undefined || folder === undefined || !isHere(folder)) return 'elsewhere';
    if (/[\\/]/.test(file) && !isProgramFolder(file) && !INSTALLED.test(file)) return 'elsewhere';
    if (assignments.some(({ name, same }) => same !== true && (name === '' || CHOOSES_CODE.test(name))))
      return 'elsewhere';
    // `npm --prefix /tmp/other test`, `make --directory=../other test`
    const places = args.flatMap((word) => {
      const [, place = undefined] =
        /^(?:-[^=]*=|-[A-Z])?((?:\/|\.\.(?:\/|$)|~).*)$/s.exec(showWord(word)) ?? [];
      return place ?? [];
    });
    return places.every((place) => isHere(place)) ? undefined : 'elsewhere';
  };
}

function onlyShows({ name = '', args }: ReadCommand): boolean {
  return args.some((word) => {
    const text = knownText(word) ?? '';
    return ONLY_SHOWS.test(text) || (text === '-n' && SHOWS_WITH_N.has(name));
  });
}
