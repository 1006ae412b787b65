import { join } from 'node:path';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import type { LoadOptions } from '../../src/language/policy/compile/load.ts';
import type { PackSource } from '../../src/language/policy/compile/packs.ts';
import type { TrustLookup, TrustRecord } from '../../src/language/policy/compile/trust.ts';
import type { PolicyPlace } from '../../src/language/policy/files/place.ts';
import { parsePolicyFile } from '../../src/language/policy/parse/parse.ts';
import type { Layer, Program } from '../../src/model/policy.ts';

/** A policy file with one policy of this id that denies, and whatever else is given. */
export function denying(id: string, rest = ''): string {
  return `version: 1\n${rest}\npolicies: [{id: ${id}, action: deny}]\n`;
}

/** Packs made of texts. */
export function packsOf(texts: Readonly<Record<string, string>>): PackSource {
  const withNeeded = { baseline: denying('a'), 'self-protection': denying('b'), ...texts };
  const text = (name: string) => Object.entries(withNeeded).find(([key]) => key === name)?.[1];
  return {
    names: Object.keys(withNeeded).sort(),
    text,
    tests: () => ({}),
    draft: (name) => {
      const found = text(name);
      return found === undefined ? undefined : parsePolicyFile(found, `builtin:${name}`, name).draft;
    },
  };
}

/** A place in which everything is found below one folder: `org`, `config` and the session in `project`. */
export function placeIn(folder: string, parts: Partial<PolicyPlace> = {}): PolicyPlace {
  return {
    named: [],
    cwd: folder,
    sessionDirectory: join(folder, 'project'),
    env: { XDG_CONFIG_HOME: join(folder, 'config') },
    organisationFolder: join(folder, 'org'),
    ...parts,
  };
}

export const NOTHING_TRUSTED: TrustLookup = { trusted: () => undefined };

/** Trusts these sets and tells which were asked for. */
export function trusting(
  records: Readonly<Record<string, TrustRecord>>,
): TrustLookup & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    trusted: (root) => {
      asked.push(root);
      return Object.entries(records).find(([key]) => key === root)?.[1];
    },
  };
}

/** Options for a folder laid out as `placeIn` has it. */
export function optionsIn(folder: string, parts: Partial<LoadOptions> = {}): LoadOptions {
  return { place: placeIn(folder), trust: NOTHING_TRUSTED, packs: packsOf({}), ...parts };
}

/** Ids and layers of a program's rules, in order. */
export function idsOf({ rules }: Program): readonly (readonly [string, Layer])[] {
  return rules.map(({ id, layer }) => [id, layer]);
}

/** `file:line:column code message | hint` of everything wrong with a set. */
export function problemsOf(options: LoadOptions): readonly string[] {
  return compileFiles(options).diagnostics.map(
    ({ position: { file, line, column }, code, message, hint }) =>
      `${file}:${line}:${column} ${code} ${message}${hint === undefined ? '' : ` | ${hint}`}`,
  );
}
