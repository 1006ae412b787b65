import { isRooted } from '../lib/path/drive-path.ts';
import type { Guards } from './guards.ts';
import type { Machine } from './installation.ts';

/**
 * A path on this machine: `~` is the home, relative paths are in the project. The first set variable of `moved` replaces the
 * usual start of the path, such as `~/.config/policy`.
 */
export function guardPlace(
  path: string,
  { env, home, project }: Machine,
  { moved = {} }: Pick<Guards, 'moved'>,
): string {
  for (const [place, usual] of Object.entries(moved)) {
    const [name = ''] = /\w+/.exec(place) ?? [];
    const folder = env[name];
    if (folder !== undefined && (path === usual || path.startsWith(`${usual}/`)))
      return `${folder}${place.slice(name.length + 1)}${path.slice(usual.length)}`;
  }
  if (/^~(?=\/|$)/.test(path)) return home + path.slice(1);
  return isRooted(path) ? path : `${project}/${path}`;
}
