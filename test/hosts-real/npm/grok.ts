import type { RealHost } from '../real-host.ts';
import { namesOf } from './names.ts';
import { type NpmHost, type Play, play } from './npm-host.ts';
import { NOT_RUN, scenesOf } from './scenes.ts';

const PROGRAM = '@xai-official/grok-linux-x64/bin/grok';

const GROK: NpmHost = {
  name: 'grok',
  package: '@xai-official/grok',
  version: '1.0.41',
  program: PROGRAM,
  // The package has it compressed, and a script that would install it into the home.
  unpack: `const fs = require('fs');
    fs.writeFileSync('${PROGRAM}', require('zlib').brotliDecompressSync(fs.readFileSync('${PROGRAM}.br')), { mode: 0o755 });`,
  files: (url) => ({
    '.grok/config.toml': `[cli]
auto_update = false
[models]
default = "m"
[model.m]
model = "m"
base_url = "${url}/v1"
api_key = "none"
context_window = 100000
`,
  }),
  args: ['--always-approve', '-m', 'm', '-p'],
  env: () => ({ GROK_TELEMETRY_ENABLED: '0' }),
  shell: (command) => ({ call: 'run_terminal_command', args: { command, description: 'a command' } }),
};

/** Grok Build as npm installs it. */
export const grok: RealHost = {
  name: 'grok',
  missing: () =>
    process.platform === 'linux' && process.arch === 'x64' ? undefined : 'it is played on linux-x64',
  async *play(policy) {
    yield* scenesOf(GROK, policy, {
      stop: NOT_RUN,
      // The first line on stderr, which is that of the shell.
      broken: { 'a hook that is not there': UNTOLD, 'a hook that is killed': UNTOLD },
    });
    yield* namesOf(GROK, policy);
    // By its documents it starts the hooks of Cursor as well; those in the form of Cursor it passes over.
    for (const [other, expected] of [
      ['claude', NOT_RUN],
      ['cursor', 'the tool RAN'],
    ] as const) {
      yield {
        name: `find only the hook of ${other}`,
        expected,
        seen: await play(GROK, onlyWith(other, policy), ({ made, told }) =>
          made('made') ? 'the tool RAN' : told('ot for agents') ? NOT_RUN : 'something else',
        ),
      };
    }
  },
};

const UNTOLD = 'the tool did not run, the model reads something else';

/** A home in which another host's hook is installed, and none of Grok Build. */
function onlyWith(other: string, policy: string): Play {
  return {
    policy,
    policies:
      '{version: 1, name: h, policies: [{id: a, description: d, tool: shell, arguments: {command: made}, action: deny, reason: Not for agents}]}',
    answers: [GROK.shell('touch made')],
    prepare(home, cwd) {
      const env = { PATH: process.env['PATH'] ?? '', HOME: home };
      const hosts = { uninstall: 'grok', install: other };
      for (const [command, host] of Object.entries(hosts))
        Bun.spawnSync([policy, command, '--yes', '--host', host], { cwd, env });
    },
  };
}
