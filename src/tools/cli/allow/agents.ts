import { HOSTS } from '../../../hosts/registry.ts';

/** Programs of agents, with the folders of packages that other programs run for them. */
const PROGRAMS: ReadonlySet<string> = new Set([
  ...HOSTS.flatMap(({ guards }) => guards.escapes?.programs ?? []),
  ...['aider', 'amp', 'code', 'code-insiders', 'cursor', 'kiro', 'windsurf'],
]);

/** Variables that agents set for the programs that they start. */
const MARKS = [
  'CLAUDECODE',
  'CODEX_SANDBOX',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'GEMINI_SESSION_ID',
  'JCLI_HOOK_EVENT',
  'OPENCODE',
  'QWEN_CODE',
] as const;

export interface Started {
  readonly argv: readonly string[];
  /** Undefined where it may not be seen. */
  readonly env: Readonly<Record<string, string | undefined>> | undefined;
}

/** The agent that a process is, or has been started by; undefined if it does not look like one. */
export function agentIn({ argv, env }: Started): string | undefined {
  const [program = '', script = ''] = argv;
  const names = [nameOf(program), nameOf(script), ...packagesIn(program), ...packagesIn(script)];
  const named = names.find((name) => PROGRAMS.has(name));
  if (named !== undefined || env === undefined) return named;
  return MARKS.find((mark) => (env[mark] ?? '') !== '');
}

function nameOf(path: string): string {
  const [name = ''] = path.split(/[\\/]/).slice(-1);
  return name.replace(/\.(exe|[cm]?js|py)$/, '').toLowerCase();
}

/** `gemini-cli` of `/usr/lib/node_modules/@google/gemini-cli/dist/index.js`. */
function packagesIn(path: string): readonly string[] {
  const [, inside] = path.split(
    /[\\/](?:node_modules|site-packages)[\\/](?!.*(?:node_modules|site-packages))/,
  );
  return (inside ?? '').split(/[\\/]/).slice(0, 2);
}
