import { own, ownObject, ownString } from '../../lib/json.ts';
import type { ArgumentReadings } from '../../model/event.ts';
import type { AnsweredEvent } from '../dialect/answers.ts';
import { eventOutput, IN_ENVELOPE } from '../dialect/envelope.ts';
import { hostOf } from '../dialect/host-of.ts';
import { withheldResult } from '../dialect/result-texts.ts';
import { CALL_REWRITES, eventsWithout, NOTIFIES, READ, RESULT_REWRITES } from '../dialect/support.ts';
import { verbsOf } from '../guards.ts';
import type { HostSetting } from '../host.ts';
import { fieldContains, namesEvent } from '../recognise.ts';
import { withReads } from '../tool-rows.ts';
import { TOOLS } from './tools.ts';

/** Claude Code's events (https://code.claude.com/docs/en/hooks) with their kinds here; the others bring nothing to judge. */
const EVENTS = { ...eventsWithout(), PreSkillShellCommand: 'before_tool' } as const;

/** It splits the globs of Grep at white space and, outside of braces, at commas. */
const READS: ArgumentReadings = { path: ['trimmed'], globs: ['list of globs'] };

/** A result is replaced by one of the same shape, else Claude Code keeps it. */
function deny(on: AnsweredEvent, reason: string) {
  const words = IN_ENVELOPE.deny(on, reason);
  if (on.kind !== 'after_tool') return words;
  const updatedToolOutput = withheldResult(own(on.subject, 'result') ?? null, reason);
  return { ...words, ...eventOutput(on, { updatedToolOutput }) };
}

/** In auto mode only a rule counts: one for this very command, until the session ends. `*` would match others. */
function approve(on: AnsweredEvent, reason: string, setting?: Pick<HostSetting, 'keepYes'>) {
  const command = ownString(ownObject(on.subject, 'arguments') ?? {}, 'command');
  const tool = ownString(on.subject, 'tool');
  if (on.kind !== 'approve_tool' || setting?.keepYes !== true || tool !== 'Bash' || command === undefined)
    return IN_ENVELOPE.approve(on, reason);
  if (!/^[^*\n\r]+$/.test(command) || command.endsWith(':')) return IN_ENVELOPE.approve(on, reason);
  const rules = [{ toolName: tool, ruleContent: command }];
  const updatedPermissions = [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
  return eventOutput(on, { decision: { behavior: 'allow', updatedPermissions } });
}

/** `continue: false` ends the run, but the call that was asked about still runs unless it is denied as well. */
function stop(on: AnsweredEvent, reason: string) {
  return on.kind === 'approve_tool'
    ? eventOutput(on, { decision: { behavior: 'deny', message: reason, interrupt: true } })
    : { continue: false, stopReason: reason, ...deny(on, reason) };
}

/** Claude Code: facts as of 2.1.332, measured on it. */
export const claude = hostOf({
  name: 'claude',
  title: 'Claude Code',
  facts: 'measured on 2.1.332',
  events: EVENTS,
  /** Claude Code 2.1.332 carries these out. */
  supports: {
    session_start: { beside: READ, note: 'Of subagents too' },
    before_prompt: {
      can: ['deny', 'abort_turn', 'hard_abort'],
      beside: READ,
      note: 'A prompt cannot be rewritten, only denied. The reports of background agents are prompts too',
    },
    before_tool: {
      can: ['approve', 'modify', 'ask', 'deny', 'abort_turn', 'hard_abort'],
      rewrites: CALL_REWRITES,
      beside: READ,
      refusesUnasked: true,
      note: 'A rewritten call still needs the permissions that it needs. ask holds in every mode, and without a person it is a deny',
      natives: {
        PreSkillShellCommand: {
          can: ['deny', 'abort_turn', 'hard_abort'],
          note: 'The shell text of a skill or command (`!`), from 2.1.332 on. Nobody is asked and nothing rewritten: both are a deny',
        },
      },
    },
    approve_tool: {
      can: ['approve', 'ask', 'deny', 'abort_turn', 'hard_abort'],
      refusesUnasked: true,
      note: 'When Claude Code is about to ask a person; the call is judged again. policy install asks for it only where a policy is for approve_tool alone',
    },
    after_tool: {
      can: ['modify', 'deny', 'abort_turn', 'hard_abort'],
      rewrites: RESULT_REWRITES,
      beside: READ,
      note: 'A denied result is replaced by the reason',
    },
    tool_failure: { beside: READ, note: 'Only notified: the error itself cannot be changed' },
    after_turn: { can: ['retry_feedback', 'abort_turn', 'hard_abort'], note: 'Of subagents too' },
    before_compact: NOTIFIES,
    after_compact: NOTIFIES,
    notification: NOTIFIES,
    session_end: NOTIFIES,
  },
  tools: withReads(TOOLS, READS),
  /** `PostToolUse` comes for a call that has succeeded, `PostToolUseFailure` for every other that has ended: measured on 2.1.332. */
  results: {
    by: 'id',
    marks: [
      { at: ['tool_input.run_in_background', 'tool_response.backgroundTaskId'], means: 'unknown' },
      { at: ['tool_response.interrupted', 'is_interrupt'], means: 'unknown' },
      // Another exit code than 0 that it takes for no failure, as of `grep`.
      { at: ['tool_response.returnCodeInterpretation'], means: 'unknown' },
    ],
    unmarked: ['succeeded', 'failed'],
  },
  /** These files decide which hooks run, which are off, and which calls Claude Code allows on its own. */
  guards: {
    paths: [
      '~/.claude.json',
      '~/.claude/{settings*.json,plugins/*.json}',
      '~/.claude/plugins/**/{hooks/**,{hooks,plugin,marketplace,settings,.lsp}.json,monitors/**}',
      // Plugins that are put there as whole folders.
      '~/.claude/plugins/{*,{cache,marketplaces}/{*,*/*,*/*/*}}/hooks/hooks.json',
      '**/.claude/{settings.json,settings.local.json,hooks/**}',
      '/etc/claude-code/**',
      '/Library/Application Support/ClaudeCode/**',
      '**/{Program Files,ProgramData}/ClaudeCode/**',
    ],
    instructions: [
      '~/.claude/{skills,agents,commands,plugins}/**/*.md',
      '**/.claude/{skills,agents,commands}/**/*.md',
    ],
    servers: [
      '**/.mcp.json',
      '~/.claude/plugins/**/*mcp*.json',
      // A skill with a manifest is a plugin.
      '**/.claude/skills/**/{*mcp*,plugin,hooks,.lsp}.json',
    ],
    moved: { $CLAUDE_CONFIG_DIR: '~/.claude' },
    escapes: {
      programs: ['claude', 'claude-code', 'happy', 'happy-coder'],
      flags: [
        ...['--bare', '--safe-mode', '--settings=', '--setting-sources=', '--managed-settings='],
        // They bring hooks and servers of their own.
        ...['--plugin-dir=', '--plugin-url=', '--mcp-config='],
      ],
      values: { '--agents': 'hooks|mcpServers' },
      subcommands: {
        ...verbsOf('plugin', 'install i add uninstall remove update enable disable'),
        ...verbsOf('plugins', 'install i add uninstall remove update enable disable'),
        ...verbsOf('mcp', 'add add-json add-from-claude-desktop import remove enable disable'),
        ...verbsOf('config', 'set add remove'),
      },
      off: ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'],
      elsewhere: ['CLAUDE_CODE_MANAGED_SETTINGS_PATH'],
    },
  },
  // Every message about a call has these.
  write: (fields) => ({ transcript_path: '', effort: { level: 'medium' }, ...fields }),
  recognise: (message) =>
    namesEvent(message, EVENTS) &&
    !Object.hasOwn(message, 'timestamp') &&
    (fieldContains(message, 'transcript_path', '/.claude/') ||
      Object.hasOwn(message, 'prompt_id') ||
      Object.hasOwn(message, 'effort')),
  // The folder of its transcripts has the name of the one that it was started in; `cwd` goes where the agent goes.
  startedIn: (fields, folder) =>
    (ownString(fields, 'transcript_path') ?? '')
      .replaceAll('\\', '/')
      .includes(`/projects/${folder.replace(/[^A-Za-z0-9]/g, '-')}/`),
  answers: {
    ...IN_ENVELOPE,
    deny,
    stop,
    approve,
    // Without a permission beside it: a rewrite spares nobody a question.
    rewrite: (on, subject) =>
      on.kind === 'before_tool'
        ? eventOutput(on, { updatedInput: own(subject, 'arguments') ?? {} })
        : eventOutput(on, { updatedToolOutput: own(subject, 'result') ?? null }),
  },
  // `onFailure` is ignored before 2.1.295; a hook that cannot be started at all is a refusal since.
  hook: { onWindows: 'sh', beside: { timeout: 60, onFailure: 'block' } },
  installation: async () => (await import('./installation.ts')).installation,
  sessions: async () => (await import('./sessions.ts')).sessions,
});
