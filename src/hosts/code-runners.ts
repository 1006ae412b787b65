import type { Json, JsonObject } from '../lib/json.ts';

/** The command that runs code of a language, by the names that tools use; the shell's own is run as it is. */
const RUNNERS: Readonly<Record<string, string>> = {
  sh: '',
  bash: '',
  shell: '',
  zsh: '',
  shellscript: '',
  python: 'python3 -c',
  python3: 'python3 -c',
  py: 'python3 -c',
  javascript: 'node -e',
  js: 'node -e',
  node: 'node -e',
  nodejs: 'node -e',
  typescript: 'node -e',
  ts: 'node -e',
  ruby: 'ruby -e',
  perl: 'perl -e',
  php: 'php -r',
  lua: 'lua -e',
  r: 'Rscript -e',
  powershell: 'pwsh -Command',
  pwsh: 'pwsh -Command',
};

/** Arguments beside code that say its language, and those that may as well say something else. */
const LANGUAGE_NAMES = new Set(['language', 'lang', 'runtime', 'interpreter', 'kernel']);
const OTHER_NAMES = new Set(['type', 'engine', 'format', 'syntax']);
/** The languages to try if nothing names one. */
const GUESSES = ['python3 -c', 'node -e'];

/** The programs that may run the code in an argument: `''` for a shell; none for other languages, numbers and names. */
export function codeRunners(name: string, value: Json, members: JsonObject): readonly string[] {
  if (typeof value !== 'string') return [];
  for (const [key, member] of Object.entries(members)) {
    if (typeof member !== 'string') continue;
    const said = key.toLowerCase();
    const runners = LANGUAGE_NAMES.has(said) || OTHER_NAMES.has(said) ? runnerOf(member) : [];
    if (runners.length > 0 || LANGUAGE_NAMES.has(said)) return runners;
  }
  const whole = name.toLowerCase().replace(/[-_. 0-9]/g, '');
  const named = runnerOf(whole.replace(/code$/, ''));
  if (named.length > 0) return named;
  const isCode = /^(?:run|exec|execute|eval|source)?code$/.test(whole) && /[()=;'"`\n$|&/]/.test(value);
  return isCode ? GUESSES : [];
}

const LONGEST_NAME = 64;

/** `Python 3.12`, `python3`, `text/javascript`: the name in it. */
function runnerOf(language: string): readonly string[] {
  if (language.length > LONGEST_NAME) return [];
  const name = language
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/[\s\d.]+$/, '');
  const runner = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  return runner === undefined ? [] : [runner];
}
