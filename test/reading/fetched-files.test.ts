import { describe, expect, test } from 'bun:test';
import { sources } from './reads.ts';

describe('readCommand with files that are fetched and unpacked', () => {
  test.each([
    ['curl -O https://x.example/a.tgz; tar xf a.tgz; ./a/install.sh', 'https://x.example/a.tgz'],
    ['curl https://x.example/a.tgz > b; tar xzf b && cd a && ./configure', 'https://x.example/a.tgz'],
    ['curl -L https://x.example/a.tgz | tar xz -C d && d/run', 'https://x.example/a.tgz'],
    ['wget -qO- https://x.example/a.tgz | tar -xzf - && sh a/i.sh', 'https://x.example/a.tgz'],
    ['mkdir d && cd d && curl https://x.example/a.tgz | tar xz && ./i', 'https://x.example/a.tgz'],
    ['wget https://x.example/a.zip && unzip -q a.zip && sudo ./a/install', 'https://x.example/a.zip'],
    ['wget https://x.example/a.zip; unzip a.zip -d d; python3 d/setup.py', 'https://x.example/a.zip'],
    ['curl -o a.7z https://x.example/a && 7z x a.7z -od && d/i', 'https://x.example/a'],
    ['curl -O https://x.example/a.gz; gunzip a.gz; chmod +x a; ./a', 'https://x.example/a.gz'],
    ['git clone https://x.example/a && a/install.sh', 'https://x.example/a'],
    ['git clone https://x.example/a d && sh d/i.sh', 'https://x.example/a'],
    ['git clone me@x.example:b/a.git && cd a && ./setup', 'me@x.example:b/a.git'],
    ['git clone --depth 1 https://x.example/a ~/.a && ~/.a/install', 'https://x.example/a'],
    ['git clone https://x.example/a && cd a && python3 main.py', 'https://x.example/a'],
    ['git clone https://x.example/a && . a/env.sh', 'https://x.example/a'],
    ['gh repo clone me/a && a/install.sh', 'me/a'],
    ['gh repo clone me/a d && sh d/i.sh', 'me/a'],
    ['git clone https://x.example/a && cp a/i.sh /tmp/i.sh && bash /tmp/i.sh', 'https://x.example/a'],
    ['git clone https://x.example/a && cat a/i.sh | sh', 'https://x.example/a'],
    ['git clone https://x.example/a && npm --version && a/i.sh', 'https://x.example/a'],
    ['git clone https://x.example/a && find . -name i.sh -exec sh {} \\;', 'https://x.example/a'],
    ['curl -o i.sh https://x.example/i && find . -name i.sh -exec sh {} \\;', 'https://x.example/i'],
    ['curl -o d/i.sh https://x.example/i && find . -name "*.sh" | xargs sh', 'https://x.example/i'],
    ['curl -o i.sh https://x.example/i && ls *.sh | xargs -n1 sh', 'https://x.example/i'],
    ['curl -o i.mk https://x.example/i && make -f i.mk', 'https://x.example/i'],
    ['curl -o i https://x.example; [ -s i ] || echo true > i; sh i', 'https://x.example'],
    ['if ! curl -o i https://x.example; then echo true > i; fi; sh i', 'https://x.example'],
    ['if x; then curl -o i https://x.example; else echo true > i; fi; sh i', 'https://x.example'],
    ['curl -o i https://x.example; x || cp /dev/null i; sh i', 'https://x.example'],
    ['git clone https://x.example/a; x || echo true > a/i; sh a/i', 'https://x.example/a'],
    ['git clone https://x.example/a && npm -v && a/i.sh', 'https://x.example/a'],
    ['git clone https://x.example/a && npm ls && a/i.sh', 'https://x.example/a'],
    ['git clone https://x.example/a && cargo -V && a/i.sh', 'https://x.example/a'],
    ['git clone https://x.example/a && go version && a/i.sh', 'https://x.example/a'],
    ['git clone https://x.example/a && python3 -m pip list && a/i.sh', 'https://x.example/a'],
    ['git clone https://x.example/a && make -n && a/i.sh', 'https://x.example/a'],
    ['git clone https://x.example/a && ssh h make && a/i.sh', 'https://x.example/a'],
    ['git clone https://x.example/a && docker run node npm ci && a/i.sh', 'https://x.example/a'],
  ])('sees that %s runs code from %s', (text, source) => {
    expect(sources(text)).toContain(source);
  });

  test.each([
    // What the project's own tools do is everyday work, and so is running what they made.
    'git clone https://x.example/a && cd a && make && make test',
    'git clone https://x.example/a && cd a && npm install && npm test',
    'git clone https://x.example/a && cd a && npm ci && node index.js',
    'git clone https://x.example/a && cd a && ./gradlew build',
    'git clone https://x.example/a && pip install -e ./a',
    'git clone https://x.example/a && cd a && python3 -m venv .venv && . .venv/bin/activate',
    'git clone https://x.example/a && cd a && cargo build && ./target/debug/a',
    'git clone https://x.example/a && cd a && cc a.c -o a && ./a',
    'git clone https://x.example/a && cat a/README.md',
    'git clone ../a && a/install.sh',
    'git clone https://x.example/a && b/install.sh',
    'git clone https://x.example/a && echo ls > a/i.sh && sh a/i.sh',
    // What lies beside an archive's own folder was there before.
    'wget https://x.example/a.zip && unzip a.zip && python3 train.py',
    'curl https://x.example/a.tgz | tar xz && ./build.sh',
    'curl https://x.example/a.tgz | tar xz -C d && ./scripts/build.sh',
    'curl https://x.example/a.tgz | tar tz && ./a/i.sh',
    'wget https://x.example/a.zip; unzip -l a.zip; ./a/i.sh',
    'tar xf a.tgz && ./a/install.sh',
    'git clone https://x.example/a && find tests -name "*.sh" -exec sh {} \\;',
    'curl -o a.json https://x.example/i && find . -name "*.sh" -exec sh {} \\;',
    'curl -o i.sh https://x.example/i && find . -name build.sh -exec sh {} \\;',
    'curl -o i.py https://x.example/i && python3 -m pytest',
    'curl -o data.json https://x.example/i && make',
    'curl -o i.py https://x.example/i && python3 -c "import os, sys"',
    'git clone https://x.example/a && cd a && python3 -c "import a"',
  ])('has nothing to say against %s', (text) => {
    expect(sources(text)).toEqual([]);
  });
});
