import { cleanLine, type HookStart, isOfWindows, startText } from '../clean-start.ts';
import { ConfigurationProblem } from '../configuration-problem.ts';
import { refuseByBody } from '../dialect/answers.ts';
import { hostOf } from '../dialect/host-of.ts';
import { verbsOf } from '../guards.ts';
import { isCline, readMessage, writeMessage } from './messages.ts';

/** The only event of Cline (https://docs.cline.bot/customization/hooks) to ask about: any refusal ends the run. */
const EVENTS = { PreToolUse: 'before_tool' } as const;

/** The line that its hook file runs: an incomplete answer ends the run in Cline's own words, since no exit code does. */
export function clineLine(start: HookStart): string {
  const failed = '"{\\"cancel\\":true,\\"errorMessage\\":\\"the policy hook has failed\\"}"';
  const cases = ['{*}0) printf %s "${1%0}";;', `*) echo ${failed};;`];
  if (isOfWindows(start))
    throw new ConfigurationProblem(
      'Cannot install for Cline on Windows: it is not known how it starts scripts there',
    );
  const script = `set -- "$(${startText(start, 'cline')}; echo $?)"; case "$1" in ${cases.join(' ')} esac`;
  return cleanLine(script, start.variables);
}

/** Cline: facts as of 3.0.65, measured on its command line. */
export const cline = hostOf({
  name: 'cline',
  title: 'Cline',
  facts: 'measured on 3.0.65',
  // Its extension waits so long; its command line waits longer.
  timeoutS: 30,
  events: EVENTS,
  /** Cline carries these out: a run goes on or ends. */
  supports: {
    before_tool: {
      beside: [],
      can: ['deny', 'abort_turn', 'hard_abort'],
      note: 'A refusal ends the whole run: Cline knows none for a single call. Exit codes are not heard, ask would run the call, and rewrites are a deny',
    },
  },
  /** The tools of its command line 3, then those of its extension. */
  tools: {
    run_commands: { classes: ['shell'], shell: 'system', aliases: { command: 'commands' }, anyNames: true },
    editor: { classes: ['edit', 'write'] },
    apply_patch: { classes: ['edit'], aliases: { patch: 'input' } },
    read_files: { classes: ['read'], anyNames: true },
    fetch_web_content: { classes: ['fetch'], anyNames: true },
    search_codebase: { classes: ['search'] },
    spawn_agent: { classes: ['agent'] },
    execute_command: { classes: ['shell'], shell: 'system' },
    write_to_file: { classes: ['write'] },
    replace_in_file: { classes: ['edit'], aliases: { patch: 'diff' } },
    read_file: { classes: ['read'] },
    list_files: { classes: ['list'] },
    search_files: { classes: ['search'], aliases: { query: 'regex' } },
    use_mcp_tool: { classes: ['mcp'], reads: { arguments: ['JSON always'] } },
    access_mcp_resource: { classes: ['mcp'] },
  },
  /** Nothing is asked about results. */
  results: { by: 'nothing' },
  /** These files decide which hooks run, and which calls Cline allows on its own. */
  guards: {
    paths: [
      '~/.cline/{hooks,plugins,data/settings}/**',
      '**/.cline/{hooks,plugins}/**',
      '~/Documents/Cline/Hooks/**',
      '**/.clinerules/hooks/**',
    ],
    notes: ['~/.cline/plugins/**/*.md', '**/.cline/plugins/**/*.md'],
    servers: ['**/cline_mcp_settings.json'],
    escapes: {
      programs: ['cline'],
      flags: ['--hooks-dir=', '--config=', '--data-dir='],
      subcommands: verbsOf('mcp', 'add add-json add-from-claude-desktop import remove enable disable'),
      elsewhere: ['CLINE_DIR', 'CLINE_DATA_DIR', 'CLINE_HOOKS_DIR'],
    },
  },
  read: readMessage,
  write: writeMessage,
  recognise: isCline,
  answers: { deny: (_on, reason) => ({ cancel: true, errorMessage: reason }) },
  exitStyle: refuseByBody,
  hook: (start) => ({ command: clineLine(start) }),
  installation: async () => (await import('./installation.ts')).installationFor,
  sessions: async () => (await import('./sessions.ts')).sessions,
});
