import { type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import type { HostTool } from '../host.ts';
import { codeIn, JAVASCRIPT } from '../implied/code-text.ts';
import type { ImpliedCall } from '../implied/implied-call.ts';
import { notebookCell } from '../implied/notebook-commands.ts';
import { worktreeEnd } from '../implied/worktree-end.ts';
import { inertTools, toolsOf } from '../tool-rows.ts';
import { wordsIn } from '../words-in.ts';

const FILE = { path: 'file_path' };
const SENDS: HostTool = { classes: ['message', 'read'] };

/**
 * The tools of Claude Code 2.1 (https://code.claude.com/docs/en/tools-reference), with older names. Bare calls use the first
 * row of a class.
 */
export const TOOLS: Readonly<Record<string, HostTool>> = {
  Bash: { classes: ['shell'] },
  PowerShell: { classes: ['shell'], shell: 'powershell' },
  Monitor: { classes: ['shell'], background: true, implied: socket },
  // Each tool that the code calls is a call of its own, but nobody promises that.
  REPL: { classes: ['shell'], implied: codeIn(JAVASCRIPT, 'script', 'code') },
  Read: { classes: ['read'], aliases: FILE },
  Write: { classes: ['write'], aliases: FILE },
  Edit: { classes: ['edit'], aliases: { ...FILE, old_text: 'old_string', new_text: 'new_string' } },
  MultiEdit: {
    classes: ['edit'],
    aliases: FILE,
    lists: { edits: { old_text: 'old_string', new_text: 'new_string' } },
  },
  NotebookEdit: {
    classes: ['edit'],
    aliases: { path: 'notebook_path', new_text: 'new_source' },
    implied: notebookCell('new_source'),
  },
  NotebookRead: { classes: ['read'], aliases: { path: 'notebook_path' } },
  LSP: { classes: ['read'], aliases: { path: 'filePath' } },
  LS: { classes: ['list'] },
  Grep: { classes: ['search'], aliases: { query: 'pattern' }, globs: ['glob'] },
  Glob: { classes: ['search', 'list'], aliases: { query: 'pattern' } },
  WebFetch: { classes: ['fetch'] },
  WebSearch: { classes: ['web_search'] },
  ...toolsOf('agent', 'Agent Task'),
  Workflow: {
    classes: ['agent', 'read'],
    aliases: { path: 'scriptPath' },
    implied: codeIn(JAVASCRIPT, 'script'),
  },
  ...toolsOf('message', 'SendMessage AskUserQuestion PushNotification SendFeedback'),
  // A file that is sent away is read.
  Artifact: { ...SENDS, aliases: FILE, globs: ['file_paths'] },
  'Artifact*': SENDS,
  Projects: { ...SENDS, aliases: { path: 'local_path' } },
  SendUserFile: { ...SENDS, globs: ['files', 'file_paths', 'paths'], aliases: FILE },
  SendUserMessage: { ...SENDS, globs: ['attachments'] },
  Brief: { ...SENDS, globs: ['attachments'] },
  CronCreate: { classes: ['schedule'] },
  CronDelete: { classes: ['schedule'], inert: true },
  CronList: { classes: ['schedule'], inert: true },
  ScheduleWakeup: { classes: ['schedule'] },
  RemoteTrigger: { classes: ['schedule', 'agent'] },
  ...toolsOf('mcp', 'ReadMcpResource* ListMcpResources* RefreshMcpTools'),
  ...toolsOf('other', 'ClaudeDesign EnterWorktree'),
  ExitWorktree: { classes: ['other'], inert: true, implied: worktreeEnd },
  Config: { classes: ['other'], inert: true, implied: setting },
  // The shell text in a skill has an event of its own.
  ...inertTools(`
    BashOutput DeferredToolPlaceholder EndConversation EnterPlanMode ExitPlanMode KillBash KillShell
    ListAgents ListPeers OfferChromeSetup propose_skills ProposeGoal ProposeSkills ReadNotifications
    ReportFindings SetGoal ShareOnboardingGuide ShowOnboardingRolePicker Skill SlashCommand
    StructuredOutput SubagentHandback TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate
    TodoWrite ToolSearch WaitForMcpServers
  `),
  'mcp__*': { classes: ['mcp'] },
};

/** Settings that change how Claude Code looks and thinks. Any other may switch hooks off or give rights. */
const HARMLESS = new Set(
  wordsIn(`
    alwaysThinkingEnabled autoCompactEnabled autoMemoryEnabled editorMode fileCheckpointingEnabled language
    model outputStyle preferredNotifChannel showTurnDuration terminalProgressBarEnabled theme
    todoFeatureEnabled verbose voiceEnabled
  `),
);

/** `Config` with a value writes it into the settings; without one it reads. */
function setting(args: JsonObject): ImpliedCall | undefined {
  if (own(args, 'value') === undefined || HARMLESS.has(ownString(args, 'setting') ?? '')) return undefined;
  return { classes: ['write'], arguments: { path: '~/.claude/settings.json' } };
}

/** `Monitor` watches a socket where it runs no command. */
function socket(args: JsonObject): ImpliedCall | undefined {
  const url = ownString(ownObject(args, 'ws') ?? {}, 'url');
  return url === undefined ? undefined : { classes: ['fetch'], arguments: { url } };
}
