import type { Host, Reply } from '../../src/hosts/host.ts';

const REPLY: Reply = { stdout: '', stderr: '', exitCode: 0 };

function hostOf(name: string, parts: Partial<Host>): Host {
  return {
    name,
    title: name.toUpperCase(),
    facts: 'made up',
    framing: 'document',
    timeoutS: () => 10,
    versions: [],
    events: {},
    supports: () => ({}),
    tools: {},
    results: { by: 'nothing', unmarked: ['unknown', 'unknown'] },
    guards: { paths: [] },
    recognise: () => false,
    decode: () => ({ type: 'reply', reply: REPLY }),
    encode: () => REPLY,
    refuse: () => REPLY,
    compose: () => null,
    installation: () => Promise.reject(new Error(`${name} cannot be installed into`)),
    hookConfiguration: () => ({ command: `${name} hook` }),
    ...parts,
  };
}

/** A host with something in every column, and two versions. */
export const FULL = hostOf('full', {
  versions: ['1', '2'],
  events: {
    BeforeTool: 'before_tool',
    PreTool: 'before_tool',
    Stop: 'after_turn',
    Unsupported: 'session_end',
  },
  supports: (version) => ({
    after_turn: {
      actions: ['continue', 'retry_feedback'],
      rewrites: [],
      beside: [],
      context: ['cwd', 'session'],
      model: 'never',
      note: version === '1' ? 'Version 1 only | with a bar' : 'What a reader should know',
    },
    before_tool: {
      actions: ['continue', 'modify', 'deny', 'hard_abort'],
      rewrites: ['set', 'remove'],
      beside: ['message'],
      context: ['agent', 'cwd'],
      model: 'sent',
    },
  }),
});
/** A host that only tells. */
export const SMALL = hostOf('small', {
  events: { notify: 'notification' },
  supports: () => ({
    notification: { actions: ['continue'], rewrites: [], beside: [], context: [], model: 'remembered' },
  }),
});
