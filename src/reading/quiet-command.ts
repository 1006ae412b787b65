/** A command that is known, by its words alone, to touch no path, reach no network and run nothing else. */
export interface QuietCommand {
  readonly name: string;
  /** The first word after the program that is no flag. */
  readonly word: string | undefined;
}

const NODE = 'test t run run-script start stop ci install build lint ls outdated why version';
/** Programs, and the subcommands of theirs that are quiet; `any` where it does not matter what follows. */
const QUIET: Readonly<Record<string, string>> = {
  git: 'status log diff show branch rev-parse describe shortlog blame remote',
  npm: NODE,
  pnpm: NODE,
  yarn: NODE,
  cargo: 'build check test clippy fmt doc tree',
  go: 'build test vet version list',
  docker: 'ps images version info',
  kubectl: 'get describe version',
  pwd: 'any',
  whoami: 'any',
  uname: 'any',
  hostname: 'any',
  uptime: 'any',
  sleep: 'any',
};
const LONGEST = 256;
/** Words that mean themselves in every shell, and flags without values. */
const PLAIN = /^[a-z]+(?: +(?:[A-Za-z0-9][A-Za-z0-9._-]*|-[A-Za-z]+|--[a-z]+(?:-[a-z]+)*))*$/;
/** Flags that name files, and letters that other programs than the one meant may take for them. */
const NOT_QUIET =
  /^(?:-[a-zA-Z]*[oCcXf]|--(?:output|out|file|config|context|prefix|dir|cwd|target|manifest|exec|kube).*)$/;

/**
 * A first look at a text: the command that it is, if it is one of those that agents run all day and that do nothing that
 * a policy could ask about. Undefined for every other text, which has to be read.
 */
export function quietCommand(text: string): QuietCommand | undefined {
  if (text.length > LONGEST || !PLAIN.test(text)) return undefined;
  const [name = '', ...rest] = text.split(/ +/);
  const wanted = Object.hasOwn(QUIET, name) ? QUIET[name] : undefined;
  if (wanted === undefined || rest.some((word) => NOT_QUIET.test(word))) return undefined;
  const [word] = rest;
  if (wanted === 'any') return { name, word: rest.find((each) => !each.startsWith('-')) };
  return word !== undefined && wanted.split(' ').includes(word) ? { name, word } : undefined;
}
