import { isSecretName } from './secret-name.ts';
import { isPlaceholder, type SecretFinder, type SecretSpan } from './secret-span.ts';

/** What tells a secret by the words before it, in whatever program: the last group of the pattern is the secret. */
interface Sign {
  readonly literals: readonly string[];
  readonly pattern: () => RegExp;
  readonly fits: (value: string) => boolean;
}

/** Behind a word that may as well belong to a sentence: nobody would name anything else so. */
const CREDENTIAL = /^(?=.*\d)(?=.*[A-Za-z])[^\s"'`]{6,}$/;
const ALGORITHM = /^(?:base\d+|sha-?\d+\w*|md\d|utf-?\d+|argon\w*|bcrypt\w*|scrypt\w*|v?\d[\w.]*)$/i;
/** Ports, addresses and paths, which `-p` stands for in other programs. */
const NO_PASSWORD = /^(?:[\d.:]+(?:\/(?:tcp|udp))?|[.~]?\/.*|-.*)$/;

const SIGNS: readonly Sign[] = [
  {
    // `-u name -p password`.
    literals: [' -u ', ' -l ', '--user'],
    pattern: () =>
      /[ \t]-(?:[uUl]|-user(?:name)?)[ \t=]{1,4}["']?[\w.@\\/-]{1,64}["']?[ \t]{1,4}-[pP](?:[ \t]{1,4}|(?=["']?[a-z]{0,40}[^a-z\s]))["']?([^\s"'`]{4,256})/g,
    fits: (value) => !NO_PASSWORD.test(value),
  },
  {
    // `-U name%password`.
    literals: [' -u '],
    pattern: () => /[ \t]-U[ \t]{0,4}["']?[\w.@\\/-]{1,64}%([^\s"'`]{1,256})/g,
    fits: () => true,
  },
  {
    literals: ['authorization'],
    pattern: () =>
      /[Aa](?:uthorization|UTHORIZATION)\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?:[Bb]earer|[Bb]asic|BASIC|[Tt]oken|[Aa]pi[Kk]ey|[Dd]igest)[ \t]{1,4}([^\s"'`\\]{4,4096})/g,
    fits: (value) => /[^a-z]/.test(value),
  },
  {
    // `CREATE USER a IDENTIFIED BY 'b'`, `SET PASSWORD = PASSWORD('b')`.
    literals: ['identified by ', 'password('],
    pattern: () =>
      /(?:[Ii]dentified[ \t]{1,4}[Bb]y|IDENTIFIED[ \t]{1,4}BY|PASSWORD[ \t]{0,4}\()[ \t]{0,4}\\?["']([^"'\\\r\n]{1,256})(?=\\?["'])/g,
    fits: () => true,
  },
  {
    // `security unlock-keychain -p password`.
    literals: ['-keychain ', 'add-generic-password ', 'add-internet-password '],
    pattern: () =>
      /(?:(?:unlock|create)-keychain|add-(?:generic|internet)-password)(?:[ \t]{1,4}[^\s|;&]{1,64}){0,8}?[ \t]{1,4}-[pw][ \t]{1,4}["']?([^\s"'`]{1,256})/g,
    fits: (value) => !value.startsWith('-'),
  },
  {
    // `Cookie: name=value`, whoever sends it.
    literals: ['cookie: '],
    pattern: () => /(?:^|["'\s])[Cc]ookie: {1,4}[\w.-]{1,64}=([^\s"'`;]{6,4096})/g,
    fits: (value) => /\d/.test(value),
  },
  {
    // `password x` of consoles and settings.
    literals: ['password ', 'passwd ', 'passphrase ', 'authtoken ', '_pw ', 'token ', 'key ', 'secret '],
    pattern: () =>
      /(?:password|passwd|passphrase|AuthToken|_pw|TOKEN|SECRET|PASSWORD|API_KEY|secret_access_key|session_token|client_secret)[ \t]{1,4}["']?([^\s"'`,;)]{6,256})/g,
    fits: (value) => CREDENTIAL.test(value) && !ALGORITHM.test(value) && !/[([{=]/.test(value),
  },
  {
    literals: ['convertto-securestring'],
    pattern: () =>
      /[Cc]onvert[Tt]o-[Ss]ecure[Ss]tring[ \t]{1,4}(?:-String[ \t]{1,4})?["']([^"'\r\n]{1,256})(?=["'])/g,
    fits: (value) => !value.startsWith('$'),
  },
  {
    // A token in place of a user: `https://token@host`.
    literals: ['://'],
    pattern: () => /:\/\/([A-Za-z0-9_-]{8,256})(?=@)/g,
    fits: (value) => (value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? []).length >= 3,
  },
];

/** Finds what the words before it show to be a secret, whichever program it is for. */
export const LOOSE_SECRETS: readonly SecretFinder[] = SIGNS.map(({ literals, pattern, fits }) => ({
  literals,
  find: (text) => findBy(pattern(), fits, text),
}));

function findBy(pattern: RegExp, fits: Sign['fits'], text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? '';
    const end = match.index + match[0].length;
    if (!isPlaceholder(value) && !isSecretName(value) && fits(value))
      spans.push({ start: end - value.length, end });
  }
  return spans;
}
