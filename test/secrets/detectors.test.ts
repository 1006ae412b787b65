import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { OutOfTime, withTimeLimit } from '../../src/lib/time-limit.ts';
import type { ProgramRow } from '../../src/model/program-row.ts';
import { PROGRAM_INDEX } from '../../src/reader/generated/program-rows.ts';
import { TOKEN_ROWS } from '../../src/reader/generated/token-rows.ts';
import { rowTable, subcommandRow } from '../../src/reader/programs/spec/row-table.ts';
import { programRow } from '../../src/reader/programs/spec/rows.ts';
import { isDetector, SECRET_DETECTORS } from '../../src/reader/secrets/detectors.ts';
import { mayHoldSecret, redactSecrets } from '../../src/reader/secrets/redact-secrets.ts';
import type { TokenForm } from '../../src/reader/secrets/token-finder.ts';
import { withinProcessorTime } from '../support/processor-time.ts';

/** Characters that look like a key's; put together here so that no file holds anything like a real one. */
function key(length: number, alphabet = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'): string {
  return alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
}

function pem(kind: string, body: string, lineBreak = '\n'): string {
  return ['-----BEGIN ', kind, '-----', lineBreak, body, lineBreak, '-----END ', kind, '-----'].join('');
}

const UPPER = 'ABCDEFGH234567';

/** Each: the detector, what surrounds the secret, and the secret. */
const SECRETS: readonly [detector: string, before: string, secret: string, after: string][] = [
  ['aws', 'id ', `AKIA${key(16, UPPER)}`, '\n'],
  ['aws', '"', `ASIA${key(16, UPPER)}`, '"'],
  ['aws', 'aws_secret_access_key = ', key(40), '\n'],
  ['aws', '{"SecretAccessKey": "', key(40), '"}'],
  ['aws', 'AWS_SESSION_TOKEN=', key(200), '\n'],
  ['github', 'GH_TOKEN=', `ghp_${key(36)}`, '\n'],
  ['github', '', `github_pat_${key(82)}`, ''],
  ['gitlab', 'token: ', `glpat-${key(20)}`, ','],
  ['slack', '', `xoxb-${key(12, '1234567890')}-${key(24)}`, ''],
  ['slack', 'https://hooks.slack.com/services/', `T${key(8)}/B${key(8)}/${key(24)}`, ' '],
  ['google', 'key=', `AIza${key(35)}`, '&x'],
  ['google', '', `GOCSPX-${key(28)}`, ''],
  ['stripe', '', `sk_live_${key(24)}`, ''],
  ['stripe', '', `whsec_${key(32)}`, ''],
  ['anthropic', '', `sk-ant-api03-${key(93)}`, ''],
  ['openai', '', `sk-proj-${key(60)}`, ''],
  ['openai', '', `sk-${key(48)}`, ''],
  ['npm', '', `npm_${key(36)}`, ''],
  ['npm', '//registry.npmjs.org/:_authToken=', key(36), '\n'],
  ['pypi', '', `pypi-AgE${key(80)}`, ''],
  ['jwt', 'Cookie: s=', `eyJ${key(30)}.eyJ${key(40)}.${key(43)}`, ';'],
  ['jwt', '\\n', `eyJ${key(30)}.eyJ${key(40)}.${key(43)}`, '\\n'],
  ['private-key', 'x\n', pem('RSA PRIVATE KEY', `${key(64)}\n${key(20)}==`), '\ny'],
  ['private-key', '', pem('PRIVATE KEY', key(64)), ''],
  ['private-key', '', pem('ENCRYPTED PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\n\n${key(64)}`), ''],
  ['private-key', '{"k": "', pem('EC PRIVATE KEY', key(64), '\\n'), '"}'],
  ['private-key', 'cut:\n', `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\n${key(64)}\n${key(64)}`, ''],
  [
    'private-key',
    'cut:\n',
    `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${key(64)}\n${key(64)}`,
    '\nand then, words.',
  ],
  ['basic-auth-url', 'postgres://admin:', 'hunter2', '@db.example.com/x'],
  ['basic-auth-url', 'https://:', 'a:b', '@example.com'],
  ['azure', 'secret ', `${key(3)}8Q~${key(34)}`, ' '],
  ['azure', 'AccountName=a;AccountKey=', `${key(86)}==`, ';'],
  ['azure', 'https://a.blob.core.windows.net/b?sv=1&sig=', `${key(43)}%3D`, '&se=1'],
  ['service', '', `hf_${key(34)}`, ''],
  ['command-line', 'mysql -p', 'hunter2', ' x'],
  ['command-line', 'curl -u ada:', 'hunter2', ' https://example.com'],
  ['assignment', 'DB_PASSWORD=', 'changeme', '\n'],
  ['assignment', 'export API_TOKEN=', 'abc/def==', ' '],
  ['assignment', 'mysql --password=', 'hunter2', ' x'],
  ['assignment', 'https://example.com/?x=1&token=', 'abcdefgh', '&y=2'],
  ['assignment', 'password: "', 'hunter2x', '"'],
  ['assignment', "const apiKey = '", 'abcd-efgh-1234', "';"],
  ['assignment', '{"client_secret":"', 'p@ss!word', '"}'],
  ['assignment', '{\\"password\\":\\"', 's3cretValue', '\\"}'],
  ['assignment', 'password := "', 'abc12345', '"'],
  ['assignment', 'secret_key: ', 'a1b2c3d4e5f6', '\n'],
  ['assignment', 'passwd = ', 'x9!kfj20', '\n'],
  ['assignment', 'Authorization: Bearer ', key(30), '\r\n'],
  ['assignment', 'curl -H "Authorization: Basic ', 'dXNlcjpwYXNzd29yZDE=', '"'],
];

/** What a developer's files and terminals are full of. */
const HARMLESS: readonly string[] = [
  'password=os.environ["DB_PASSWORD"]',
  'PASSWORD=os.environ["DB_PASSWORD"]',
  'password = os.getenv("DB_PASSWORD")',
  'token = get_token()',
  'const token = await getToken(user.id);',
  'TOKEN=${VAR}',
  'TOKEN=$VAR',
  'TOKEN="$VAR"',
  'TOKEN=$(cat /run/token)',
  'export API_KEY={{ api_key }}',
  'apiKey: process.env.API_KEY,',
  'const apiKey = process.env.API_KEY2;',
  'password: string',
  'password?: string;',
  'password: z.string().min(8),',
  'self.password = password',
  'connect(user=user, password=password)',
  'connect(password=db_password)',
  '    password=config.db_password,',
  'def login(self, password: str = None):',
  'if (token === expectedToken) {}',
  'if token == expected_token:',
  'map(secret => decode(secret))',
  'auth::token::refresh()',
  'token: Token,',
  'nextPageToken: "CAoQAA1b2c3d4"',
  'max_tokens=4096',
  'max_tokens: 100000',
  'tokenizer = "cl100k_base1"',
  'token_type: "bearer12"',
  '"password": "Enter your password"',
  '"password": "auth.form.password"',
  '"password": "string"',
  '"token": "<your token>"',
  '"api_key": "YOUR_API_KEY"',
  'password: "********"',
  'password: xxxxxxxxxxxx',
  '<input type="password" name="password" id="password1">',
  '--token-file=/run/secrets/token1',
  '--password-stdin',
  'SECRET=/run/secrets/db_password1',
  'API_KEY_NAME=service1',
  'Bearer ${token}',
  'Bearer <token>',
  'Bearer authentication is required for this endpoint',
  'Basic authentication1 is off',
  'https://example.com:8080/path@2x.png',
  'https://user@example.com/',
  'https://user:${PASSWORD}@example.com/',
  'https://user:<password>@example.com/',
  'git@github.com:user/repo.git',
  'ssh://git@host:22/x',
  'class="sk-fading-circle sk-circle-with-a-long-name-that-goes-on-and-on"',
  'risk-assessment-of-0123456789012345678901234567890123456789',
  'task_live_0123456789',
  'AKIAISTOOSHORT',
  'commit 8f14e45fceea167a5a36dedd4bea2543f1b2c3d4',
  'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  '"integrity": "sha512-abc123def456/ghi789+jkl012=="',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC user@host',
  'keyboard: "qwerty12345"',
  'monkey=banana12a3b4',
  'eyJustSomeWords.andMore.words',
];

describe('redactSecrets', () => {
  test.each(SECRETS)('%s: %p', (detector, before, secret, after) => {
    for (const names of [['secrets'], [detector]]) {
      const { text, found } = redactSecrets(before + secret + after, names);
      expect(text).toBe(`${before}[redacted:${detector}]${after}`);
      expect(found).toEqual([detector]);
    }
  });

  test.each(SECRETS)('%s far into a long text: %p', (detector, before, secret, after) => {
    const filler = 'plain words and more of them\n'.repeat(1000);
    expect(redactSecrets(filler + before + secret + after).text).toBe(
      `${filler}${before}[redacted:${detector}]${after}`,
    );
  });

  test.each(HARMLESS)('leaves %p', (text) => {
    expect(redactSecrets(text)).toEqual({ text, found: [] });
  });

  test('leaves what its detectors are not for', () => {
    const text = `ghp_${key(36)} AKIA${key(16, UPPER)}`;
    expect(redactSecrets(text, ['aws'])).toEqual({ text: `ghp_${key(36)} [redacted:aws]`, found: ['aws'] });
    expect(redactSecrets(text, [])).toEqual({ text, found: [] });
  });

  test('names each detector once, in the order of the text', () => {
    const github = `ghp_${key(36)}`;
    const { text, found } = redactSecrets(`${github} DB_PASSWORD=changeme ${github}`);
    expect(text).toBe('[redacted:github] DB_PASSWORD=[redacted:assignment] [redacted:github]');
    expect(found).toEqual(['github', 'assignment']);
  });

  test('refuses a name that is no detector', () => {
    expect(() => redactSecrets('x', ['aws', 'gcp'])).toThrow(
      'Cannot redact "gcp": there is no such detector',
    );
  });

  test('finds secrets wherever they stand and nothing more the second time', () => {
    const filler = fc.array(
      fc.constantFrom('plain words ', '\n', 'x = 1; ', '{"a": 2} ', ': ', '= ', '"', 'é '),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(filler, fc.constantFrom(...SECRETS)), { maxLength: 5 }), (parts) => {
        const text = parts
          .map(([words, [, before, secret, after]]) => `${words.join('')}\n${before}${secret}${after}\n`)
          .join('');
        const once = redactSecrets(text);
        for (const [, [detector, , secret]] of parts) {
          if (detector !== 'basic-auth-url' && secret.length > 15) expect(once.text).not.toContain(secret);
        }
        expect(redactSecrets(once.text)).toEqual({ text: once.text, found: [] });
      }),
    );
  });

  test('looks at all that the forms of tokens fit', () => {
    const rows = Object.values((JSON.parse(TOKEN_ROWS) as { detectors: object }).detectors) as readonly {
      tokens?: readonly TokenForm[];
    }[];
    const texts = rows
      .flatMap(({ tokens = [] }) => tokens)
      .flatMap(({ form, starts, before = 0 }) => {
        const token = fc.stringMatching(new RegExp(`^(?:${form.replace(/\(\?[!=<][^)]*\)/g, '')})$`));
        const isWhole = (text: string) => starts.split(' ').some((start) => text.startsWith(start, before));
        return fc.sample(token, 50).filter(isWhole);
      });
    expect(texts.filter((text) => !mayHoldSecret(`a ${text} b`))).toEqual([]);
    expect(texts.length).toBeGreaterThan(3_000);
  });

  test.each([
    ...[
      'DB_PSW=hunter22x9',
      'PSW=hunter22x9',
      './start.sh --pin=8841ab',
      'start --pat hunter22x9',
      'DSN=postgres22x9!k',
    ],
    ...[
      '{"db-pass":"hunter22x9"}',
      '{"DBPASS": "hunter22x9"}',
      'PW=hunter22x9',
      'run -pw:hunter22x9',
      'AUTH=hunter22x9',
    ],
    ...['MY_CREDENTIALS=hunter22x9', 'secret_key_base: "hunter22x9"', 'Authorization: Token hunter22x9abcd'],
  ])('takes the secret out of %p alone', (text) => {
    expect(redactSecrets(text).text).not.toContain('22x9');
    expect(redactSecrets(text).text).not.toContain('8841ab');
  });

  test.each([
    ...['patch -p1', 'curl https://example.com/a', 'redis-cli keys x', 'kill -l 9', 'pwd'],
    ...['kubectl delete ns prod', 'terraform plan -destroy', 'aws s3 ls', 'svn delete x'],
  ])('passes %p by', (text) => {
    expect(mayHoldSecret(text)).toBe(false);
  });

  test('passes none by in which a program is given a secret by any flag or subcommand', () => {
    const given = (start: string, row: ProgramRow): readonly string[] => [
      ...[...rowTable(row).flags.keys()].flatMap((flag) => [
        `${start} ${flag} Hunter22x9kQ`,
        `${start} ${flag}Hunter22x9kQ`,
        `${start} ${flag} a=Hunter22x9kQ`,
      ]),
      `${start} a Hunter22x9kQ`,
      `echo Hunter22x9kQ | ${start}`,
      ...Object.keys(row.subcommands ?? {}).flatMap((name) =>
        given(`${start} ${name}`, subcommandRow(row, name) ?? {}),
      ),
    ];
    const names = PROGRAM_INDEX.trim()
      .split('\n')
      .map((line) => line.split('\t', 1)[0] ?? '');
    const texts = names.flatMap((name) => given(name, programRow(name) ?? {}));
    const secret = texts.filter((text) => redactSecrets(text, ['secrets']).found.length > 0);
    expect(secret.filter((text) => !mayHoldSecret(text))).toEqual([]);
    expect(secret.length).toBeGreaterThan(1_000);
  });

  test('may find in several texts, a line each, whatever it may find in one of them', () => {
    const words = fc.constantFrom(
      'aws',
      'mysql',
      '-pHunter22',
      'az keyvault',
      'login',
      'σΣ',
      'İ',
      '.',
      '"',
      ' ',
    );
    const text = fc
      .tuple(
        fc.array(words, { maxLength: 4 }),
        fc.constantFrom('', ...SECRETS.map(([, before, secret]) => before + secret)),
      )
      .map(([before, secret]) => before.join('') + secret);
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (texts) => {
        if (!texts.some((each) => mayHoldSecret(each))) return;
        expect(mayHoldSecret(texts.join('\n'))).toBe(true);
      }),
    );
    expect(mayHoldSecret('ls -la src\n/home/me/app')).toBe(false);
  });

  test.each<[string, string]>([
    ['code', 'const token = foo(bar); // lorem ipsum: {a: 1}, password=x\n'],
    ['separators', '='],
    ['names', 'password='],
    ['quoted names', 'password="'],
    ['colons', 'password:'],
    ['flags', '--password=a'],
    ['jwt starts', 'eyJ'],
    ['jwt parts', 'eyJaaaaaaaaaa.'],
    ['key starts', `-----BEGIN ${'PRIVATE'} KEY-----`],
    ['key ends', '-----END '],
    ['key lines', 'a\n'],
    ['addresses', '://a:'],
    ['prefixes', 'sk-'],
    ['aws names', 'aws_secret_access_key'],
    ['bearers', 'Bearer '],
    ['blanks', ' '],
    ['backslashes', '\\n'],
    ['one word', 'x'],
  ])('takes linear time for 250 kilobytes of %s', (_, unit) => {
    const text = unit.repeat(Math.ceil(250_000 / unit.length));
    const framed = `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${text}`;
    withinProcessorTime(2_000, () => redactSecrets(text));
    withinProcessorTime(2_000, () => redactSecrets(framed));
  });
});

test.each(['curl -u a:b ', 'https://a:b@c ', 'password: x ', 'ghp_', 'a@b.example '])(
  'a text of %p is left when the time is up',
  (unit) => {
    let looks = 0;
    const redact = () => redactSecrets(unit.repeat(1_000), ['secrets', 'personal']);
    expect(() => withTimeLimit(() => ++looks > 300, redact)).toThrow(OutOfTime);
  },
);

describe('SECRET_DETECTORS', () => {
  test('lists every detector, each of which finds something here', () => {
    const names = SECRET_DETECTORS.map(({ name }) => name);
    expect(new Set(SECRETS.map(([detector]) => detector))).toEqual(new Set(names));
    expect(names.every(isDetector)).toBe(true);
  });

  test('secrets is a name for all of them and no row', () => {
    expect(isDetector('secrets')).toBe(true);
    expect(SECRET_DETECTORS.some(({ name }) => name === 'secrets')).toBe(false);
    expect(isDetector('toString')).toBe(false);
  });
});
