import { describe, expect, test } from 'bun:test';
import { chmodSync, copyFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { TESTED_HOSTS, testedHost } from './host-reading.ts';
import { fateOf } from './in-process.ts';
import { fatesOf } from './line-client.ts';
import { callText } from './messages.ts';
import { type Workplace, workplace } from './workplace.ts';

const HOSTS = TESTED_HOSTS.filter(({ version }) => version === undefined);
let asked = 0;

/** A machine on which every host is at home, and a project that has settings for each. */
function guardedPlace(): Workplace {
  return workplace({
    'home/.local/bin/policy': '',
    'home/.local/share/applications/a.desktop': '',
    'home/.gemini/settings.json': '{}',
    'home/.jdata/agent/hooks/policy/HOOK.yaml': '',
    'home/.picoclaw/config.json': '{}',
    'project/src/a.ts': '',
    'project/b/policy': '',
    'project/d/settings.json': '{}',
  });
}

type Env = Readonly<Record<string, string>>;

const ARGS = ['--policies', 'builtin:self-protection'];

/**
 * The commands that do not end as they should. One process is asked about all, and the next host in turn about the first: what
 * a host sends is read before any policy sees the call, so that no command means one thing in one host and another in the next.
 */
async function wrong(commands: readonly string[], expected: string, place: Workplace, env: Env = {}) {
  const tested = HOSTS[asked++ % HOSTS.length];
  if (tested === undefined) throw new Error('no host');
  const first = await fateOf(tested, place, commands[0] ?? '', { args: ARGS, env });
  const fates = await fatesOf(place, commands, ARGS, env);
  const found = commands.filter((_, index) => fates[index] !== expected);
  return first === expected ? found : [...found, `${tested.host.name}: ${commands[0]}`];
}

describe('a folder around what guards the agent', () => {
  test('is not moved away, copied over, filled with what nobody sees, or linked to elsewhere', async () => {
    const refused = [
      'mkdir b; cp /bin/true b/policy; mv ~/.local/bin ~/x; mv b ~/.local/bin',
      'mv ~/.local/bin ~/x',
      'mv ~/.local ~/x',
      'cp b/* ~/.local/bin/',
      'cp b/policy ~/.local/bin',
      'cp -t ~/.local/bin b/policy',
      'rsync -a b/ /usr/local/bin/',
      'rsync -a b/ ~/.local/bin',
      'ln -sfn $PWD/b ~/.local/bin',
      'tar xf b.tar -C /usr/local/bin',
      'tar -C ~/.local/bin -xzf b.tgz',
      'unzip -o b.zip -d ~/.local/bin',
      'cd ~/.local/bin && tar xf /tmp/b.tar',
      'mount --bind b ~/.local/bin',
      'chmod a-x ~/.local/bin',
      'chmod 000 /usr/local/bin',
      'rm ~/.local/bin/p*',
      'mv ~/.jdata ~/j2',
      'mv ~/.jdata/agent ~/x',
      'cp -r b ~/.jdata',
      'mv d .gemini',
      'cp -r d .gemini',
      'cp -r d/. .gemini',
      'ln -s d .gemini',
      'git clone https://example.com/d .gemini',
      'cp -r x/.jcli .',
      'cp -r x/.policy .',
      'mkdir .gemini && cp d/settings.json .gemini',
      'mkdir -p .gemini/commands; mv d/settings.json .gemini',
      'mv d ~/.config',
      'ln -s $PWD/d ~/.config',
    ];
    expect(await wrong(refused, 'prevented', guardedPlace())).toEqual([]);
  });

  test('may be used as every other folder', async () => {
    const free = [
      'cp -r src dist',
      'cp -r src/. dist/',
      'tar xf x.tar',
      'tar xzf x.tgz -C vendor',
      'tar xzf kind.tgz -C /usr/local/bin kind',
      'unzip x.zip',
      'unzip x.zip -d vendor',
      'mv a b',
      'mv a ..',
      'mv notes.txt ~',
      'cp a ~/.local/bin/',
      'mv tool ~/.local/bin',
      'cp -r tool ~/.local/share',
      'ln -s $PWD/tool ~/.local/bin/tool',
      'ln -s $PWD/tool ~/.local/bin',
      'rsync -a b/ out/',
      'git clone https://example.com/d',
      'npm ci',
      'chmod -R +x scripts',
      'chmod 755 ~/.local/bin',
      'chmod +x ~/.local/bin/tool',
      'ln -s src s',
      'cp -r .gemini backup',
      'mkdir -p ~/.local/bin && mv tool ~/.local/bin',
      'cp .gemini/settings.json s',
      'ls ~/.local/bin/p*',
      'rm ~/.local/bin/q*',
      'cat ~/.gemini/settings.json',
      'cp -r ~/.gemini/commands commands',
      'rm -rf bin build',
      'rm -f *',
      'mkdir -p .gemini/commands && echo x > .gemini/commands/a.toml',
    ];
    expect(await wrong(free, 'happens', guardedPlace())).toEqual([]);
  });
});

describe('a link to what guards the agent', () => {
  test('is as good as the file itself', async () => {
    const refused = [
      'ln ~/.gemini/settings.json t/hl',
      'cp -al ~/.gemini t',
      'ln -s ~/.gemini g; echo {} > g/settings.json',
      'ln -s ~ g; cd g; echo {} > .gemini/settings.json',
      'ln -s ~/.gemini/settings.json s; echo {} > s',
      'ln -s ~/.jdata .; rm -r .jdata/agent',
      'mount --bind ~/.gemini m',
      'python3 -c \'import os; os.symlink(os.path.expanduser("~/.gemini"), "g"); open("g/settings.json", "w")\'',
    ];
    const place = guardedPlace();
    symlinkSync(join(place.home, '.gemini'), join(place.project, 'there'));
    expect(await wrong([...refused, 'echo {} > there/settings.json'], 'prevented', place)).toEqual([]);
  });

  test('may be made, and read through', async () => {
    const free = [
      'ln a t/hl',
      'ln -s ~/.gemini g; cat g/settings.json',
      'ln -s src g; echo {} > g/settings.json',
      'ln -s ~/.gemini/commands c; echo x > s',
    ];
    expect(await wrong(free, 'happens', guardedPlace())).toEqual([]);
  });

  test('that was there before is followed, from either side', async () => {
    const place = guardedPlace();
    place.write({ 'dotfiles/picoclaw/config.json': '{}' });
    symlinkSync(join(place.folder, 'dotfiles/picoclaw'), join(place.home, '.pico'));
    const env = { PICOCLAW_HOME: join(place.home, '.pico') };
    const refused = ['echo {} > ../dotfiles/picoclaw/config.json', 'mv ../dotfiles ../away'];
    expect(await wrong(refused, 'prevented', place, env)).toEqual([]);
    expect(await wrong(refused, 'happens', place)).toEqual([]);
  });
});

describe('wildcards', () => {
  test('take in what guards the agent', async () => {
    const refused = [
      'cd ~/.gem*; echo {} > settings.json',
      'rm -r ~/.j*/agent',
      'rm ~/.gem*/settings.json',
      'rm ~/.local/bin/*',
      'rm .gem*/settings.json',
    ];
    expect(await wrong(refused, 'prevented', guardedPlace())).toEqual([]);
  });
});

describe('variables that move what guards the agent', () => {
  test.each([
    ['J_DATA_PATH', 'agent/hooks/policy/guard.sh'],
    ['GEMINI_CLI_HOME', '.gemini/trustedFolders.json'],
    ['PICOCLAW_HOME', 'config.json'],
    ['XDG_CONFIG_HOME', 'policy/mine.yaml'],
    ['XDG_STATE_HOME', 'policy/state.db'],
  ])('%s is known', async (name, file) => {
    const place = guardedPlace();
    const moved = join(place.folder, 'moved');
    place.write({ [`moved/${file}`]: '' });
    const refused = [
      `echo x > ${moved}/${file}`,
      `mv ${moved} ${moved}.off`,
      `echo x > $${name}/${file}`,
      `mv $${name} "$HOME/off"`,
    ];
    expect(await wrong(refused, 'prevented', place, { [name]: moved })).toEqual([]);
    expect(await wrong(refused.slice(0, 2), 'happens', place)).toEqual([]);
  });

  test('PICOCLAW_CONFIG is known, and GEMINI_CLI_SYSTEM_SETTINGS_PATH', async () => {
    const place = guardedPlace();
    for (const name of ['PICOCLAW_CONFIG', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH']) {
      const env = { [name]: join(place.folder, 'own/settings.json') };
      const refused = ['echo {} > ../own/settings.json', `echo {} > $${name}`, 'mv ../own ../away'];
      expect(await wrong(refused, 'prevented', place, env)).toEqual([]);
    }
  });

  test('the program is known wherever it lies', async () => {
    const place = guardedPlace();
    place.write({ 'tools/guard/x': '' });
    const program = join(place.folder, 'tools/guard/watch');
    copyFileSync(BINARY, program);
    chmodSync(program, 0o755);
    const tested = testedHost('gemini');
    for (const [command, expected] of [
      ['rm ../tools/guard/watch', 'prevented'],
      ['mv ../tools ../off', 'prevented'],
      ['tar xf x.tar -C ../tools/guard', 'prevented'],
      ['cp tool ../tools/guard', 'happens'],
    ] as const) {
      const said = await place.run({
        shell: `shift; exec '${program}' "$@"`,
        args: ['hook', '--host', tested.host.name, '--policies', 'builtin:self-protection'],
        input: callText(tested.host, command, place.project),
      });
      expect([command, tested.read('before_tool', said)]).toEqual([command, expected]);
    }
  });
});

describe('editors', () => {
  test('write files by their own commands', async () => {
    const refused = [
      'vim -c "w! ~/.gemini/settings.json"',
      'vim -es -c "wq ~/.gemini/settings.json" a',
      'nvim --headless +"sav ~/.gemini/settings.json" a',
      "ex -s a <<< 'w ~/.gemini/settings.json'",
      "printf 'w ~/.gemini/settings.json\\nq\\n' | ed a",
    ];
    expect(await wrong(refused, 'prevented', guardedPlace())).toEqual([]);
    const free = ['vim -c "w! notes.md" a', "ed -s a <<< 'w'", 'vim +10 a', 'vim -c "%s/a/b/g" -c wq a'];
    expect(await wrong(free, 'happens', guardedPlace())).toEqual([]);
  });
});

describe('the process of the hook', () => {
  test('is not signalled', async () => {
    const refused = [
      'pkill -f "[p]olicy"',
      'pkill -STOP policy',
      'pkill -9 -f polic.',
      'pkill -f .',
      'pkill -f "policy hook --host"',
      'killall policy',
      "killall -r 'pol.*'",
      'fuser -k ~/.local/bin/policy',
      'kill $(pgrep -f "[p]olicy")',
      "ps aux | grep '[p]olicy' | awk '{print $2}' | xargs kill",
      'pids=$(pgrep polic); kill -STOP $pids',
    ];
    expect(await wrong(refused, 'prevented', guardedPlace())).toEqual([]);
    const free = [
      'pkill -f vite',
      'pkill -STOP node',
      'pkill -f "node server.js"',
      'killall -r "^node"',
      'fuser -k 8080/tcp',
      'fuser ~/.local/bin/policy',
      'pgrep -fl policy',
      "ps aux | grep '[n]ode' | awk '{print $2}' | xargs kill",
      'kill 4711',
    ];
    expect(await wrong(free, 'happens', guardedPlace())).toEqual([]);
  });
});
