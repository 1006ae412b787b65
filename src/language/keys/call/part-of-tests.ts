import type { HidingReason } from '../../../model/history.ts';
import type { ProgramRow } from '../../../model/program-row.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText, type Word } from '../../../reader/reading/word.ts';

/** Flags that leave no test out in any runner: of the report, the speed, and the point to stop at. */
const EVERYWHERE =
  /^(?:--|-[qv]|-j.*|--(?:quiet|silent|verbose|verbosity|colou?rs?|no-colou?rs?|ci|debug|bail|fail-?fast|no-fail-?fast|exit-?first|stop-on-failure|max-?fail(?:ures)?|(?:no-|code-?|collect-?|enable-code-?)?cov(?:er(?:age)?)?(?:[-.].*)?|reporters?|logger|format(?:ter)?|progress|log-?level|durations|slowest|jobs|(?:max-?|num-?)?workers|(?:test-)?threads|concurrency|(?:no-)?parallel|processes|run-?in-?band|(?:test-?)?time-?out|random(?:i[sz]e)?|order|seed|trace|(?:stack|back)-?trace|no-cache|locked|frozen|offline|release|workspaces|all)(?:=.*)?|--watch(?:-?all)?=false|--no-watch|--(?:junit|output|out|report|log|html|xml|json).*)$/is;
/** Those that take the next word, where the row does not say so. */
const WITH_VALUE =
  /^--(?:reporters?|logger|format(?:ter)?|durations|jobs|(?:max-?|num-?)?workers|(?:test-)?threads|concurrency|processes|(?:test-?)?time-?out|order|seed|verbosity|log-?level)$/i;
/** Folders that hold all tests by convention. */
const ALL = /^(?:(?:\.\/)?(?:\.|tests?|specs?|__tests__)\/?(?: |$))*$/;
/** Variables by which projects leave tests out. */
const LEAVES_OUT =
  /SKIP|FILTER|ONLY|EXCLUDE|IGNORE|GREP|PATTERN|MATCH|SHARD|DISABLE|(?:^|_)(?:NO|DRY|TESTS?|SPECS?|SUITES?|TOXENV|NOXSESSION|PYTHONOPTIMIZE|TESTOPTS|ARGS|OPTS|FLAGS|OPTIONS)(?:_|$)/i;
/** The same words in names of settings that leave none out. */
const LEAVES_NONE_OUT =
  /^(?:.*_ENV|.*(?:DATABASE|_DB|_URL|_URI|_HOST|_PORT|_KEY|_TOKEN)|NODE_OPTIONS|NO_COLOR)$/i;
/** Flags that choose the folder in which a program does its work. */
const CHOOSES_FOLDER =
  /^(?:-C|--(?:prefix|cwd|dir|directory|project-dir|workdir|working-dir(?:ectory)?|chdir))$/;
/** Flags of wrappers that choose the package that the program is run in, or comes from. */
const CHOOSES_PACKAGE = /^(?:-[pwF]|--(?:project|workspace|filter|package|with|from|spec))$/;
/** Packages beside those of the project that only add to its tests. */
const ADDS_TO_TESTS = /^(?:pytest|coverage)(?:-\w+)*(?:\[[\w,]+\])?(?:[=<>~]=?[\d.]+)?$/;
/** Another package under the name of a program: `jest@npm:other`, `jest@./other`. */
const OTHER_PACKAGE = /.@[^@]*[:/]/;

const MANAGERS = /^(?:p?np[mx]|yarn|bunx?|uvx?|poetry|pdm|pipx)$/;

/** Why a command that runs tests may not run all of those that are here; undefined if it does, or runs none. */
export function partOfTests(
  command: ReadCommand,
  outer: ReadCommand | undefined,
): Extract<HidingReason, 'dry_run' | 'elsewhere'> | undefined {
  const tests = testsOf(command.rows);
  if (tests === undefined) return undefined;
  const { args, operands, flags, assignments, openEnded } = command;
  const given = operands.map((word) => knownText(word) ?? '?');
  const before = (word: Word): string => knownText(args[args.indexOf(word) - 1] ?? []) ?? '';
  const plain = operands
    .filter((word, at) => !isFlag(given[at] ?? '') && !WITH_VALUE.test(before(word)))
    .map((word) => knownText(word) ?? '?')
    .join(' ');
  const start = pattern(`^(?:${tests.by ?? ''})(?: |$)`).exec(tests.by === undefined ? '' : plain);
  if (start === null) return undefined;
  const asks = (name: string) => tests.with?.includes(name) === true;
  if (tests.with !== undefined && !flags.some(({ name }) => asks(name))) return undefined;
  if ((outer !== undefined && runsElsewhere(outer)) || flags.some(({ name }) => CHOOSES_FOLDER.test(name)))
    return 'elsewhere';
  // Without assertions, all tests pass.
  const isIdle = /^python/.test(outer?.name ?? '') && outer?.flags.some(({ name }) => /^-O+$/.test(name));
  if (openEnded || isIdle === true) return 'dry_run';
  const rest = tests.by === undefined ? plain : plain.slice(start[0].length);
  if (!(tests.names === undefined ? ALL : pattern(`^(?:${tests.names})$`)).test(rest)) return 'dry_run';
  const mine = pattern(`^(?:${tests.flags ?? '(?!)'})$`);
  const said = flags
    .filter(({ name }) => !asks(name))
    .map(({ name, value }) => {
      const text = value === undefined ? '' : knownText(value);
      return text === undefined ? undefined : `${name}${value === undefined ? '' : `=${text}`}`;
    });
  const isWhole = [...said, ...given.filter(isFlag)].every(
    (word) => word !== undefined && (mine.test(word) || EVERYWHERE.test(word)),
  );
  const isChosen = assignments.some(
    ({ name, same }) => same !== true && LEAVES_OUT.test(name) && !LEAVES_NONE_OUT.test(name),
  );
  return isWhole && !isChosen ? undefined : 'dry_run';
}

function runsElsewhere(outer: ReadCommand): boolean {
  const isManager = MANAGERS.test(outer.name ?? '');
  const chooses = outer.flags.some(
    ({ name, value }) =>
      CHOOSES_FOLDER.test(name) ||
      (isManager &&
        CHOOSES_PACKAGE.test(name) &&
        !(name === '--with' && ADDS_TO_TESTS.test(knownText(value ?? []) ?? ''))),
  );
  return chooses || (isManager && outer.args.some((word) => OTHER_PACKAGE.test(knownText(word) ?? '')));
}

function isFlag(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}

function testsOf(rows: readonly ProgramRow[]): ProgramRow['tests'] {
  return rows.findLast(({ tests }) => tests !== undefined)?.tests;
}

const patterns = new Map<string, RegExp>();

function pattern(text: string): RegExp {
  const known = patterns.get(text) ?? new RegExp(text);
  patterns.set(text, known);
  return known;
}
