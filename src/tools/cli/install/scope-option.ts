import { SCOPES, type Scope } from '../../../hosts/installation.ts';
import type { Arguments, OptionSpec } from '../args.ts';
import { UsageError } from '../io.ts';

/** The options that say whose configuration is meant. */
export const SCOPE_OPTIONS: readonly OptionSpec[] = [
  { name: 'user', summary: 'Your own configuration; the default' },
  { name: 'project', summary: "This project's configuration" },
  {
    name: 'system',
    summary: "The machine's, with a copy of the program that only root can change; needs root",
  },
];

/** The scope that a command line asks for. */
export function scopeOf({ switches }: Arguments): Scope {
  const given = SCOPES.filter((scope) => switches.has(scope));
  if (given.length > 1) throw new UsageError(`Cannot use --${given[0]} with --${given[1]}: give one of them`);
  return given[0] ?? 'user';
}
