import type { COMMAND_GROUPS, Command, CommandRow } from './command.ts';

type Group = keyof typeof COMMAND_GROUPS;

/** A line on every command, in the order of the help and grouped as there. */
const SUMMARIES = {
  start: {
    install: 'Add the hook to the agents on this machine',
    uninstall: "Remove the hook from the agents' configuration",
    doctor: 'Prove that your agents are guarded, or say how to fix it',
    init: 'Write starter policies with tests into .policy/, and run the tests',
    import: 'Print policies for the permissions that you have given an agent',
    docs: 'Read about anything: a key, a finding, an agent, a policy, or words to search for',
  },
  write: {
    check: 'Check policy files for errors, oddities and things that agents cannot do',
    test: 'Run test files and the examples in policies',
    explain: 'Show how one call is decided, by which policies, and what the agent receives',
    fmt: 'Format policy and test files',
    diff: 'Show which calls two policy sets, or the log and the policies now, decide differently',
    'add-test': 'Turn a logged decision into a test case',
  },
  watch: {
    log: 'Show and follow the decision log, and detect tampering',
    report: 'Count decisions per policy from the decision log; --html writes a page',
    scan: "Show what the policies would have refused in your agents' past sessions",
    allow: 'Let a refused call through, from a live list or by its code',
  },
  team: {
    trust: "Trust this project's policies to do more than refuse",
    lock: 'Fetch and pin the sources that policies extend; --update moves to newer ones',
    bundle: "Build, sign, verify, push and pull a team's policies as one file",
    sync: "Fetch the organisation's signed bundle and activate it",
  },
  programs: {
    hook: 'The hook that agents run: read events, print answers',
    'mcp-proxy': 'Guard an MCP server for an agent that has no hooks',
    lsp: 'Run the language server: findings as you type, completion, definitions, tests',
    export: 'Send decisions to an OpenTelemetry receiver as logs and metrics',
    judge: 'Evaluate judges on labelled calls, record verdicts for tests, manage the cache',
  },
} as const satisfies Readonly<Record<Group, Readonly<Record<string, string>>>>;

type Name = { [G in Group]: keyof (typeof SUMMARIES)[G] }[Group];

/** Nothing of a command is loaded before it is asked for. */
const LOADERS: Readonly<Record<Name, () => Promise<Command>>> = {
  install: async () => (await import('./commands/install.ts')).install,
  uninstall: async () => (await import('./commands/uninstall.ts')).uninstall,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  init: async () => (await import('./commands/init.ts')).init,
  import: async () => (await import('./commands/import.ts')).importCommand,
  docs: async () => (await import('./commands/docs.ts')).docs,
  check: async () => (await import('./commands/check.ts')).check,
  test: async () => (await import('./commands/test.ts')).test,
  explain: async () => (await import('./commands/explain.ts')).explain,
  fmt: async () => (await import('./commands/fmt.ts')).fmt,
  diff: async () => (await import('./commands/diff.ts')).diff,
  'add-test': async () => (await import('./commands/add-test.ts')).addTest,
  log: async () => (await import('./commands/log.ts')).log,
  report: async () => (await import('./commands/report.ts')).report,
  scan: async () => (await import('./commands/scan.ts')).scan,
  allow: async () => (await import('./commands/allow.ts')).allow,
  trust: async () => (await import('./commands/trust.ts')).trust,
  lock: async () => (await import('./commands/lock.ts')).lock,
  bundle: async () => (await import('./commands/bundle.ts')).bundle,
  sync: async () => (await import('./commands/sync.ts')).sync,
  hook: async () => (await import('./commands/hook.ts')).hook,
  'mcp-proxy': async () => (await import('./commands/mcp-proxy.ts')).mcpProxy,
  lsp: async () => (await import('./commands/lsp.ts')).lsp,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  judge: async () => (await import('./commands/judge.ts')).judge,
};

export const COMMANDS: readonly CommandRow[] = Object.entries(SUMMARIES).flatMap(([group, summaries]) =>
  Object.entries(summaries).map(([name, summary]) => ({
    name,
    group: group as Group,
    summary,
    load: LOADERS[name as Name],
  })),
);
