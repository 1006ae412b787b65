import { GIT } from '../knowledge/git-program.ts';
import { resolvePath } from '../path.ts';
import type { Via } from '../reading.ts';
import { cwdOf, newScope, variableOf } from '../scope.ts';
import { runShellText } from '../shell-text.ts';
import type { Call, Place, ProgramReader, Walker } from '../walker.ts';
import { joinWords, knownText, leadingText, textWord, type Word } from '../word.ts';
import { runConfigured, runGiven } from './git-commands.ts';
import { addEffects } from './git-effects.ts';
import { aliasVariable, firstOperand, type Setting, settingsOf } from './git-settings.ts';
import { spaced } from './wrappers.ts';

/** git: where it runs, what its configuration makes it run, what its subcommand does. */
export const git: ProgramReader = (call, walker) => {
  const moved = inDirectory(call, walker);
  const settings = settingsOf(moved);
  const subcommand = knownText(moved.parsed.operands[0]?.word ?? []) ?? '';
  if (runAlias(moved, subcommand, settings, walker)) return undefined;
  runConfigured(moved, subcommand, settings, walker);
  runGiven(moved, subcommand, walker);
  addEffects(moved, subcommand, walker);
  return undefined;
};

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
  const remembered = variableOf(call.place.scope, aliasVariable(subcommand))?.values[0];
  const configured = settings.findLast(({ key }) => key === `alias.${subcommand}`.toLowerCase());
  const value = configured?.value ?? remembered;
  if (value === undefined || subcommand === '' || GIT.subcommands?.[subcommand] !== undefined) return false;
  const via: readonly Via[] = [...call.place.via, { kind: 'alias', name: `git ${subcommand}` }];
  if (call.place.via.some((step) => step.kind === 'alias' && step.name === `git ${subcommand}`)) return true;
  const place: Place = { ...call.place, via, parent: call.index };
  const rest = call.args.slice(firstOperand(call) + 1);
  call.command.wrapper = true;
  const lead = leadingText(value);
  const isShell = lead.startsWith('!');
  const text = isShell
    ? joinWords(textWord(lead.slice(1)), value.slice(1))
    : joinWords(textWord('git '), value);
  const script = [text, ...rest.map((arg) => quoted(arg.word))].reduce(spaced);
  runShellText(call, { word: script, span: call.span, at: undefined }, place, 'a git alias', walker);
  return true;
}

function quoted(word: Word): Word {
  const known = knownText(word);
  return known === undefined ? word : textWord(`'${known.replaceAll("'", "'\\''")}'`);
}
