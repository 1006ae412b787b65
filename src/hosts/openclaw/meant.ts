import { quotedWord, runnerText } from '../../lib/command-argument.ts';
import { isJsonObject, type Json, type JsonObject, ownString } from '../../lib/json.ts';
import { JAVASCRIPT } from '../meant/code-text.ts';
import { type MeantBy, running } from '../meant/meant.ts';

/** For tools that do what the program does too: its command line, with the values of these arguments. */
export function cliOf(subcommand: string, ...names: readonly string[]): MeantBy {
  return (args) => {
    const words = names.map((name) => (ownString(args, name) ?? '').trim()).filter((word) => word !== '');
    return running(['openclaw', subcommand, ...words.map(quotedWord)].join(' '));
  };
}

/** An automation's scripts, of its payload and of its trigger, run as code that calls the agent's tools. */
export const scripts: MeantBy = (args) =>
  running(
    scriptsIn(args)
      .map((code) => runnerText(JAVASCRIPT, code))
      .join('\n'),
  );

function scriptsIn(value: JsonObject | readonly Json[]): readonly string[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner === 'string') return key.trim() === 'script' ? [inner] : [];
    return isJsonObject(inner) || Array.isArray(inner) ? scriptsIn(inner) : [];
  });
}
