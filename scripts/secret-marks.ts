import type { ProgramSpec, Role } from '../src/model/program-spec.ts';

/** Roles of words in which secrets may be. */
const SECRET_ROLES: ReadonlySet<Role | undefined> = new Set([
  'secret',
  'login',
  'settings',
  'at-file',
  'conninfo',
]);

/**
 * What shows that a command of a program may have a secret among its words: the letters of its flags, then other texts, all
 * separated by blanks; `*` for every command. Undefined for a program without secrets.
 */
export function secretMarks(spec: ProgramSpec): string | undefined {
  const letters = new Set<string>();
  const marks = new Set<string>();
  for (const flag of secretFlags(spec)) {
    if (/^-[^-]$/.test(flag)) letters.add(flag.slice(1));
    else marks.add(flag);
  }
  if (hasSecretOperands(spec)) marks.add('*');
  for (const input of inputMarks(spec)) marks.add(input);
  for (const prefix of spec.secretPrefix?.split(' ') ?? []) marks.add(prefix);
  for (const [name, sub] of Object.entries(spec.subcommands ?? {})) if (hasSecrets(sub)) marks.add(name);
  return letters.size + marks.size === 0 ? undefined : [[...letters].join(''), ...marks].join(' ');
}

function hasSecrets(spec: ProgramSpec): boolean {
  return secretMarks(spec) !== undefined;
}

function secretFlags({ flags = {}, values = '', attached = '', same = '', secretLast = '' }: ProgramSpec) {
  const groups = [values, attached, same]
    .flatMap((listed) => listed.split(' '))
    .map((group) => group.split(','));
  const named = Object.entries(flags).flatMap(([flag, role]) =>
    SECRET_ROLES.has(role) ? (groups.find((group) => group.includes(flag)) ?? [flag]) : [],
  );
  return [...named, ...secretLast.split(' ').filter((flag) => flag !== '')];
}

function hasSecretOperands({ first = [], rest, last }: ProgramSpec): boolean {
  return [...first, rest, last].some((role) => SECRET_ROLES.has(role));
}

function inputMarks({ secretInput }: ProgramSpec): readonly string[] {
  return secretInput === undefined ? [] : secretInput === true ? ['*'] : secretInput.split(' ');
}
