import type { CommandRow } from './command.ts';

/** Every command, in the order of the help and grouped as there. Nothing of a command is loaded before it is asked for. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'install',
    group: 'start',
    summary: 'Add the hook to the agents on this machine',
    load: async () => (await import('./commands/install.ts')).install,
  },
  {
    name: 'uninstall',
    group: 'start',
    summary: "Remove the hook from the agents' configuration",
    load: async () => (await import('./commands/uninstall.ts')).uninstall,
  },
  {
    name: 'doctor',
    group: 'start',
    summary: 'Prove that your agents are guarded, or say how to fix it',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'init',
    group: 'start',
    summary: 'Write starter policies with tests into .policy/, and run the tests',
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'docs',
    group: 'start',
    summary: 'Read about anything: a key, a finding, an agent, a policy, or words to search for',
    load: async () => (await import('./commands/docs.ts')).docs,
  },
  {
    name: 'check',
    group: 'write',
    summary: 'Check policy files for errors, oddities and things that hosts cannot do',
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'test',
    group: 'write',
    summary: 'Run test files and the examples in policies',
    load: async () => (await import('./commands/test.ts')).test,
  },
  {
    name: 'explain',
    group: 'write',
    summary: 'Show how one call is decided, by which policies, and what the host receives',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'fmt',
    group: 'write',
    summary: 'Format policy and test files',
    load: async () => (await import('./commands/fmt.ts')).fmt,
  },
  {
    name: 'diff',
    group: 'write',
    summary: 'Show which calls two policy sets, or the log and the policies now, decide differently',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  {
    name: 'add-test',
    group: 'write',
    summary: 'Turn a logged decision into a test case',
    load: async () => (await import('./commands/add-test.ts')).addTest,
  },
  {
    name: 'log',
    group: 'watch',
    summary: 'Show and follow the decision log, and detect tampering',
    load: async () => (await import('./commands/log.ts')).log,
  },
  {
    name: 'report',
    group: 'watch',
    summary: 'Count decisions per policy from the decision log; --html writes a page with charts',
    load: async () => (await import('./commands/report.ts')).report,
  },
  {
    name: 'scan',
    group: 'watch',
    summary: "Show what the policies would have refused in your agents' past sessions",
    load: async () => (await import('./commands/scan.ts')).scan,
  },
  {
    name: 'allow',
    group: 'watch',
    summary: 'Let a refused call through, from a live list or by its code',
    load: async () => (await import('./commands/allow.ts')).allow,
  },
  {
    name: 'trust',
    group: 'team',
    summary: "Trust this project's policies to do more than refuse",
    load: async () => (await import('./commands/trust.ts')).trust,
  },
  {
    name: 'lock',
    group: 'team',
    summary: 'Fetch and pin the sources that policies extend; --update moves to newer ones',
    load: async () => (await import('./commands/lock.ts')).lock,
  },
  {
    name: 'bundle',
    group: 'team',
    summary: "Build, sign, verify, push and pull a team's policies as one file",
    load: async () => (await import('./commands/bundle.ts')).bundle,
  },
  {
    name: 'sync',
    group: 'team',
    summary: "Fetch the organisation's signed bundle and activate it",
    load: async () => (await import('./commands/sync.ts')).sync,
  },
  {
    name: 'hook',
    group: 'programs',
    summary: 'The hook that agents run: read events, print answers',
    load: async () => (await import('./commands/hook.ts')).hook,
  },
  {
    name: 'mcp-proxy',
    group: 'programs',
    summary: 'Guard an MCP server for an agent that has no hooks',
    load: async () => (await import('./commands/mcp-proxy.ts')).mcpProxy,
  },
  {
    name: 'lsp',
    group: 'programs',
    summary: 'Run the language server: findings as you type, completion, definitions, tests',
    load: async () => (await import('./commands/lsp.ts')).lsp,
  },
  {
    name: 'export',
    group: 'programs',
    summary: 'Send decisions to an OpenTelemetry receiver as logs and metrics',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  {
    name: 'judge',
    group: 'programs',
    summary: 'Evaluate judges on labelled calls, record verdicts for tests, manage the cache',
    load: async () => (await import('./commands/judge.ts')).judge,
  },
];
