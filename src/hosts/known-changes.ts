/** A change in a version of a host that is newer than those that its adapter was made for. */
interface KnownChange {
  readonly host: string;
  /** The first version that is so. */
  readonly since: string;
  /** When it was read, as a day. */
  readonly seen: string;
  readonly what: string;
}

export const KNOWN_CHANGES: readonly KnownChange[] = [
  {
    host: 'qwen',
    since: '0.25',
    seen: '2026-11-26',
    what: 'the timeout of a hook is in seconds; policy install writes it so',
  },
  {
    host: 'droid',
    since: '0.245',
    seen: '2026-11-26',
    what: 'scripts are a tool of their own, and with a hooks.json the hooks in settings.json are not read',
  },
  {
    host: 'opencode',
    since: '1.19',
    seen: '2026-11-26',
    what: 'edits come as the tool patch, too',
  },
  {
    host: 'opencode',
    since: '2',
    seen: '2026-11-26',
    what: 'plugins have other hooks (execute.before), so the one for 1.x may not be asked: nothing is proven there',
  },
  {
    host: 'cursor',
    since: '2026.10',
    seen: '2026-11-26',
    what: 'the command line ignores an allow, and Auto-review overrides an ask, which is a refusal here',
  },
];
