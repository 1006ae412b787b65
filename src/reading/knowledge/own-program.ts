import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const COMMAND: ProgramSpec = {
  values:
    '-c,--command -f,--filter -j,--jobs --calls --changed --compare --expect --format --host --host-timeout --host-version --html --judges --lcov --min-coverage --model --name --policies --policy --price --results --seed --since --to --workspace',
  rest: 'read',
  flags: { '--html': 'write', '--lcov': 'write', '--results': 'write', '--to': 'write' },
  output: 'own',
};

/** This program. What else its commands write is in its reader. */
export const OWN_PROGRAM: ProgramTable = {
  policy: {
    rest: 'read',
    output: 'own',
    subcommands: {
      init: COMMAND,
      check: COMMAND,
      fmt: COMMAND,
      test: COMMAND,
      diff: COMMAND,
      replay: COMMAND,
      'add-test': COMMAND,
      explain: COMMAND,
      judge: {
        ...COMMAND,
        subcommands: {
          eval: COMMAND,
          record: COMMAND,
          cache: { ...COMMAND, subcommands: { stats: COMMAND, clear: COMMAND } },
        },
      },
      hook: COMMAND,
      install: COMMAND,
      uninstall: COMMAND,
      doctor: COMMAND,
      trust: COMMAND,
      stats: COMMAND,
      hosts: COMMAND,
      schema: COMMAND,
    },
  },
};
