import { isJsonObject, own, ownString } from '../../lib/json.ts';
import type { FoundConfiguration, HookGroups } from '../hook-groups.ts';
import { finding, type HookFinding, readForeignText } from '../installation.ts';
import { readLoosely } from '../json-configuration.ts';

/** Hooks in the configuration of Hermes Agent, as 0.19.0 reads them. */
export const installation: HookGroups = {
  programs: ['hermes'],
  release: { newest: '0.19.0' },
  folder: '~/.hermes',
  places: { user: '~/.hermes/config.yaml' },
  dialect: { comments: true, yaml: true },
  bare: true,
  allTools: ['.*'],
  usualTimeoutS: 60,
  findings: (found) =>
    found.layers.some(({ settings }) => own(settings, 'hooks_auto_accept') === true) ? [] : unapproved(found),
  // Only words refuse in every version.
  read: ({ stdout }) => (own(readLoosely(stdout), 'decision') === 'block' ? 'refused' : 'passes'),
};

function unapproved({ hooks, files, at }: FoundConfiguration): readonly HookFinding[] {
  const list = own(
    readLoosely(readForeignText(at('~/.hermes/shell-hooks-allowlist.json'), files)),
    'approvals',
  );
  const agreed = new Set(
    (Array.isArray(list) ? list : [])
      .filter(isJsonObject)
      .map((each) => `${ownString(each, 'event')} ${ownString(each, 'command')}`),
  );
  return hooks
    .filter(({ event, hook }) => !agreed.has(`${event} ${ownString(hook, 'command')}`))
    .map(({ file, event }) =>
      finding(
        'untrusted-hook',
        `nobody has agreed to the hook on ${event} in ${file}, so Hermes Agent passes over it`,
        'start "hermes" in a terminal and agree, or once with --accept-hooks',
      ),
    );
}
