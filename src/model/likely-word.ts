import { closest } from '../lib/closest.ts';

/** Names in other tools for an action, an event, a class of tools, a key or a command. In lower case, without `_`. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  deny: 'block disallow forbid prevent prohibit refuse reject',
  ask: 'confirm prompt',
  modify: 'change edit replace rewrite',
  approve: 'accept allow permit',
  continue: 'ignore pass skip',
  abort_turn: 'abort',
  hard_abort: 'kill',
  before_tool: 'pretool pretooluse toolcall',
  after_tool: 'posttool posttooluse toolresult',
  before_prompt: 'userpromptsubmit',
  after_turn: 'stop',
  shell: 'bash sh terminal exec command powershell',
  search: 'grep',
  list: 'glob ls',
  id: 'name',
  action: 'effect decision',
  url: 'domain domains',
  hosts: 'agents',
  claude: 'claude-code',
  codex: 'codex-cli',
  copilot: 'copilot-cli github-copilot',
  gemini: 'gemini-cli',
  qwen: 'qwen-code',
  vscode: 'vs-code',
  command: 'cmd bash shell',
  run: 'program programs executable binary name cmd',
  reason: 'why because',
  allow: 'approvals approve grant revoke unblock',
  check: 'lint validate verify',
  diff: 'compare replay rollout',
  docs: 'agents hosts manual playground schema tutorial',
  doctor: 'status health',
  explain: 'why eval run simulate try',
  fmt: 'format',
  init: 'new create add',
  install: 'setup enable',
  lock: 'update upgrade pull',
  test: 'coverage mutate',
  uninstall: 'remove undo disable',
  log: 'logs list history audit watch',
  report: 'stats',
};

/** The one of these names that a person meant who wrote another word; undefined if none is near. */
export function likelyWord(word: string, names: readonly string[]): string | undefined {
  const plain = word.toLowerCase().replaceAll('_', '');
  const isCalled = (name: string) =>
    Object.hasOwn(OTHER_WORDS, name) && OTHER_WORDS[name]?.split(' ').includes(plain);
  return names.find(isCalled) ?? closest(word, names);
}
