import { deepEqual } from '../../lib/deep-equal.ts';
import { itemsOf, type JsonObject, own, ownObject } from '../../lib/json.ts';
import type { HookGroups } from '../hook-groups.ts';
import { type Files, note, readForeignText } from '../installation.ts';
import { readLoosely } from '../json-configuration.ts';

/** Hooks of Factory Droid, which are at the top of their file, as 0.215.0 reads them. */
export const installation: HookGroups = {
  programs: ['droid'],
  release: { newest: '0.215.0' },
  folder: '~/.factory',
  places: { user: '~/.factory/hooks.json', project: '.factory/hooks.json' },
  at: [],
  group: { matcher: '*' },
  usualTimeoutS: 60,
  off: {
    key: 'hooksDisabled',
    files: ['~/.factory', '.factory'].flatMap((at) => [`${at}/settings.json`, `${at}/settings.local.json`]),
  },
  parse: (path, text) => (path.includes('/settings') ? readLoosely(text) : undefined),
  // If there is a hooks file, the hooks in the settings beside it are no longer read.
  also(settings, _current, { scope, files }, { home, project }) {
    const isNew = Object.keys(settings).length === 0;
    const theirs = isNew ? hooksInSettings(scope === 'project' ? project : home, files) : {};
    return { changes: Object.entries(theirs).map(([event, value]) => ({ path: [event], value })) };
  },
  findings: ({ layers, machine: { home, project }, files }) =>
    [home, project].flatMap((at) => {
      const layer = layers.find(({ path }) => path === `${at}/.factory/hooks.json`);
      const unread = Object.entries(hooksInSettings(at, files)).filter(
        ([event, groups]) =>
          !itemsOf(groups).every((group) =>
            itemsOf(own(layer?.settings ?? {}, event)).some((each) => deepEqual(each, group)),
          ),
      );
      if (layer === undefined || Object.keys(layer.settings).length === 0 || unread.length === 0) return [];
      const message = `${at}/.factory/settings.json has hooks that Factory Droid does not read beside ${layer.path}`;
      return [note('unread-hooks', message, 'move them into that file')];
    }),
};

function hooksInSettings(at: string, files: Files): JsonObject {
  return ownObject(readLoosely(readForeignText(`${at}/.factory/settings.json`, files)), 'hooks') ?? {};
}
