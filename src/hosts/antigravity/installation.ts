import { own } from '../../lib/json.ts';
import type { HookGroups } from '../hook-groups.ts';
import { finding } from '../installation.ts';
import { readLoosely } from '../json-configuration.ts';

/** Hooks of Antigravity, which have a name each, by its documents. */
export const installation: HookGroups = {
  programs: ['agy', 'antigravity'],
  release: { newest: '1.4' },
  folder: '~/.gemini/config',
  places: { user: '~/.gemini/config/hooks.json', project: '.agents/hooks.json' },
  at: ['policy'],
  group: { matcher: '*' },
  usualTimeoutS: 30,
  findings: ({ layers, hooks }) =>
    layers
      .filter(({ path }) => hooks.some(({ file }) => file === path))
      .filter(({ settings }) => own(Object(settings['policy']), 'enabled') === false)
      .map(({ path }) => finding('hook-disabled', `${path} switches this hook off (enabled)`, 'take it out')),
  read: ({ stdout }) => (own(readLoosely(stdout), 'decision') === 'deny' ? 'refused' : 'passes'),
};
