import type { Order } from '../../src/hosts/installation.ts';

/** What an installation is asked for on an empty machine. */
export const ORDER: Order = {
  scope: 'user',
  start: { program: '/usr/local/bin/policy', home: '/home/me', version: undefined },
  kinds: new Set(['before_prompt', 'before_llm']),
  release: undefined,
  files: { text: () => undefined, names: () => [], isFolder: () => false },
  digits: '7c1e40',
};
