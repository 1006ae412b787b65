import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Refuses whatever names "forbidden": where other policies are loaded, or none, it passes. */
const POLICIES = `
version: 1
name: house
policies:
  - {id: no-forbidden, arguments: {'*': forbidden}, action: deny, reason: That is not for agents}
`;

const FAKES = ['grep', 'env', 'cat', 'test'].map((name) => [`fake/${name}`, '#!/bin/sh\necho {}\n'] as const);

/** What the variables below name, in a home with policies of its own. */
export function layOutHome(home: string): void {
  const files = {
    '.config/policy/house.yaml': POLICIES,
    'elsewhere/nothing': '',
    'empty.yaml': 'version: 1\ndefaults: {mode: enforce}\n',
    'leave.sh': 'exit 0\n',
    ...Object.fromEntries(FAKES),
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  }
}

/** A variable of a runtime, a loader, a shell or this program. `./` in its value is the home that is laid out. */
export interface Variable {
  readonly name: string;
  readonly value: string;
}

export const VARIABLES: readonly Variable[] = [
  { name: 'NOTHING', value: 'at all' },
  { name: 'BUN_JSC_watchdog', value: '1' },
  { name: 'BUN_OPTIONS', value: '--version' },
  { name: 'BUN_BE_BUN', value: '1' },
  { name: 'NODE_OPTIONS', value: '--no-warnings' },
  { name: 'POLICY_PATH', value: './empty.yaml' },
  { name: 'XDG_CONFIG_HOME', value: './elsewhere' },
  { name: 'PATH', value: `./fake:${process.env['PATH'] ?? ''}` },
  { name: 'BASH_FUNC_grep%%', value: '() { echo {}; }' },
  { name: 'BASH_FUNC_exit%%', value: '() { return; }' },
  { name: 'SHELLOPTS', value: 'errexit:nounset:pipefail:noglob' },
  { name: 'LD_PRELOAD', value: './nowhere.so' },
  { name: 'ENV', value: './leave.sh' },
  { name: 'BASH_ENV', value: './leave.sh' },
  { name: 'SHELLOPTS', value: 'noexec' },
  { name: 'LD_TRACE_LOADED_OBJECTS', value: '1' },
];

/** The value in this home. */
export function valueIn(home: string, { value }: Variable): string {
  return value.replaceAll('./', `${home}/`);
}
