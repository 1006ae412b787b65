import type { CommandRow } from './command.ts';

/** Every command, in the order of the help. Nothing of a command is loaded before it is asked for. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'install',
    summary: 'Make the agents on this machine ask this program',
    load: async () => (await import('./commands/install.ts')).install,
  },
  {
    name: 'uninstall',
    summary: 'Take out of their configuration what install has put there',
    load: async () => (await import('./commands/uninstall.ts')).uninstall,
  },
  {
    name: 'doctor',
    summary: 'Prove that the agents here are guarded, and say what to do where they are not',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'init',
    summary: 'Write first policies and their test into .policy/, and run the test',
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'check',
    summary: 'Check policy files: what is wrong, what is odd, what hosts cannot do',
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'fmt',
    summary: 'Write policy and test files in their canonical form',
    load: async () => (await import('./commands/fmt.ts')).fmt,
  },
  {
    name: 'lsp',
    summary: 'Serve an editor: findings as you type, completion, definitions, tests',
    load: async () => (await import('./commands/lsp.ts')).lsp,
  },
  {
    name: 'test',
    summary: 'Run the tests of policies and their examples',
    load: async () => (await import('./commands/test.ts')).test,
  },
  {
    name: 'diff',
    summary: 'Show which calls two sets of policies decide differently, what got looser first',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  {
    name: 'lock',
    summary: 'Fetch the sources that policies extend, and pin what they are in policy.lock',
    load: async () => (await import('./commands/lock.ts')).lock,
  },
  {
    name: 'update',
    summary:
      'Take what is newer in the sources of policies, after showing which calls it decides differently',
    load: async () => (await import('./commands/update.ts')).update,
  },
  {
    name: 'scan',
    summary: 'Show what the policies would have refused in the past sessions of the agents here',
    load: async () => (await import('./commands/scan.ts')).scan,
  },
  {
    name: 'replay',
    summary: 'Judge the decisions of a log or the messages of a transcript again',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  {
    name: 'rollout',
    summary: 'Show what policies would have refused that are not in force yet, per repository',
    load: async () => (await import('./commands/rollout.ts')).rollout,
  },
  {
    name: 'add-test',
    summary: 'Write a logged decision into a test file as a case',
    load: async () => (await import('./commands/add-test.ts')).addTest,
  },
  {
    name: 'bundle',
    summary: 'Build, sign, verify and inspect one file with the policies of a team',
    load: async () => (await import('./commands/bundle.ts')).bundle,
  },
  {
    name: 'sync',
    summary: 'Fetch the signed bundle that the organisation manages, and put it in force',
    load: async () => (await import('./commands/sync.ts')).sync,
  },
  {
    name: 'explain',
    summary: 'Show how one call is judged, by which policies, and what the host is answered',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'judge',
    summary: 'Measure judges on labelled calls, record their verdicts for tests, look after kept ones',
    load: async () => (await import('./commands/judge.ts')).judge,
  },
  {
    name: 'hook',
    summary: 'Judge the events of a host: what the agent starts',
    load: async () => (await import('./commands/hook.ts')).hook,
  },
  {
    name: 'mcp-proxy',
    summary: 'Stand between an agent without hooks and an MCP server, and judge the calls of its tools',
    load: async () => (await import('./commands/mcp-proxy.ts')).mcpProxy,
  },
  {
    name: 'allow',
    summary: 'Let a refused call pass, once or until a moment; list and take back what was let pass',
    load: async () => (await import('./commands/allow.ts')).allow,
  },
  {
    name: 'approvals',
    summary: 'Answer refused calls from a list on the whole screen',
    load: async () => (await import('./commands/approvals.ts')).approvals,
  },
  {
    name: 'trust',
    summary: "Let this project's policies do more than refuse",
    load: async () => (await import('./commands/trust.ts')).trust,
  },
  {
    name: 'session',
    summary: 'Add policies to the sessions here, which can only restrict; list and remove them',
    load: async () => (await import('./commands/session.ts')).session,
  },
  {
    name: 'log',
    summary: 'Show the decision log, follow it, and verify that nobody has changed it',
    load: async () => (await import('./commands/log.ts')).log,
  },
  {
    name: 'stats',
    summary: 'Count what each policy did, from the decision log',
    load: async () => (await import('./commands/stats.ts')).stats,
  },
  {
    name: 'report',
    summary: 'Write the decision log as a page with charts',
    load: async () => (await import('./commands/report.ts')).report,
  },
  {
    name: 'export',
    summary: 'Send decisions to an OpenTelemetry receiver, as logs and metrics',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  {
    name: 'hosts',
    summary: 'Show which events and actions each host has',
    load: async () => (await import('./commands/hosts.ts')).hosts,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of policy or test files',
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'show',
    summary: 'Print a pack, or one policy as it is written',
    load: async () => (await import('./commands/show.ts')).show,
  },
  {
    name: 'docs',
    summary: 'Read the documentation: a page, a key, a code of policy check',
    load: async () => (await import('./commands/docs.ts')).docs,
  },
];
