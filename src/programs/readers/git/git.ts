import { pathAnchor, REPOSITORY_ROOT, resolvePath } from '../../../reading/path.ts';
import type { Via } from '../../../reading/reading.ts';
import {
  joinList,
  knownText,
  leadingText,
  outsideVariable,
  textWord,
  type Word,
  wordFrom,
} from '../../../reading/word.ts';
import { runShellText } from '../../../shell/run/shell-text.ts';
import { cwdOf, newScope, variableOf } from '../../../shell/scope/scope.ts';
import type { Call, Place, ProgramReader, Walker } from '../../../shell/scope/walker.ts';
import { programSpec } from '../../spec/rows.ts';
import { runConfigured, runGiven } from './commands.ts';
import { addEffects } from './effects.ts';
import { addImpliedFlags } from './implied-flags.ts';
import { firstOperand, type Setting, settingsOf, settingVariable } from './settings.ts';

/** git: where it runs, what its configuration makes it run, what its subcommand does. */
const git: ProgramReader = (call, walker) => {
  const moved = inDirectory(call, walker);
  const settings = settingsOf(moved, walker);
  const subcommand = knownText(moved.parsed.operands[0]?.word ?? []) ?? '';
  if (runAlias(moved, subcommand, settings, walker)) return undefined;
  runConfigured(moved, settings, walker);
  runGiven(moved, subcommand, walker);
  addImpliedFlags(moved, subcommand, settings);
  addEffects(moved, subcommand, settings, walker);
  return subcommand === 'rev-parse' ? repositoryRoot(moved, walker) : undefined;
};

/** `git rev-parse --show-toplevel` where the repository is the one that the agent works in. */
function repositoryRoot({ parsed, place }: Call, walker: Walker): Word | undefined {
  const asked = parsed.flags.filter(({ arg }) => arg >= (parsed.operands[0]?.arg ?? 0));
  if (parsed.operands.length !== 1 || asked.length !== 1 || asked[0]?.name !== '--show-toplevel')
    return undefined;
  const cwd = cwdOf(place.scope);
  const start = walker.context.cwd;
  const isHere =
    start === undefined
      ? pathAnchor(cwd) === 'start' && !leadingText(cwd).startsWith('..')
      : knownText(cwd) === start || leadingText(cwd).startsWith(`${start}/`);
  return isHere || isInRepository(cwd) ? outsideVariable(REPOSITORY_ROOT) : undefined;
}

function isInRepository([first]: Word): boolean {
  return first?.type === 'unknown' && first.variable === REPOSITORY_ROOT;
}

/** `-C dir`: the command runs there. */
function inDirectory(call: Call, walker: Walker): Call {
  const directories = call.parsed.flags.filter((flag) => flag.name === '-C' && flag.arg < firstOperand(call));
  if (directories.length === 0) return call;
  const scope = newScope('subshell', call.place.scope);
  for (const { value } of directories) {
    if (value !== undefined) scope.cwd = resolvePath(value, { cwd: cwdOf(scope), home: walker.context.home });
  }
  call.command.cwd = cwdOf(scope);
  call.command.effects = call.command.effects.map((effect) =>
    effect.type === 'path' ? { ...effect, path: walker.resolve(effect.written, call.command) } : effect,
  );
  return { ...call, place: { ...call.place, scope } };
}

/** `git x` where x is an alias that is seen: the alias is read in its place. */
function runAlias(call: Call, subcommand: string, settings: readonly Setting[], walker: Walker): boolean {
  const remembered = variableOf(call.place.scope, settingVariable(`alias.${subcommand}`.toLowerCase()))
    ?.values[0];
  const configured = settings.findLast(({ key }) => key === `alias.${subcommand}`.toLowerCase());
  const value = configured?.value ?? remembered;
  if (value === undefined || subcommand === '' || programSpec('git')?.subcommands?.[subcommand] !== undefined)
    return false;
  const via: readonly Via[] = [...call.place.via, { kind: 'alias', name: `git ${subcommand}` }];
  if (call.place.via.some((step) => step.kind === 'alias' && step.name === `git ${subcommand}`)) return true;
  const place: Place = { ...call.place, via, parent: call.index };
  const rest = call.args.slice(firstOperand(call) + 1);
  call.command.wrapper = true;
  const lead = leadingText(value);
  const isShell = lead.startsWith('!');
  const text = isShell
    ? wordFrom(value, 1)
    : joinList([textWord('git'), ...ownArguments(call, subcommand.toLowerCase()), value]);
  const script = joinList([text, ...rest.map((arg) => quoted(arg.word))]);
  runShellText(call, { word: script, span: call.span, at: undefined }, place, 'a git alias', walker);
  return true;
}

/** The settings that an alias runs with, itself left out; where it runs has been seen to. */
function ownArguments(call: Call, alias: string): readonly Word[] {
  const settings = call.parsed.flags.filter(({ name, arg }) => name === '-c' && arg < firstOperand(call));
  return settings.flatMap(({ value }) => {
    const isAlias = value === undefined || leadingText(value).toLowerCase().startsWith(`alias.${alias}=`);
    return isAlias ? [] : [textWord('-c'), quoted(value)];
  });
}

function quoted(word: Word): Word {
  const known = knownText(word);
  return known === undefined ? word : textWord(`'${known.replaceAll("'", "'\\''")}'`);
}

export const GIT_READERS: Readonly<Record<string, ProgramReader>> = { git };
