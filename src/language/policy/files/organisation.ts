import { messageOf } from '../../../lib/message-of.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { problem, startOf } from '../yaml/problem.ts';
import { followLinks } from './follow-link.ts';
import { type ListedFile, listPolicyFiles } from './list-policy-files.ts';
import { openPlaceOf } from './root-only.ts';

/** The folders of the organisation's policies on this system. */
export const ORGANISATION_FOLDERS: readonly string[] = foldersOf(process.platform);

/** `policy sync` keeps the bundle here that the organisation manages: only root writes there. */
export const MANAGED_FOLDER = managedFolderOf(process.platform);

/** The file there that says which bundle is in force. */
export const MANAGED_RECORD = 'current.json';

function managedFolderOf(platform: string): string {
  switch (platform) {
    case 'win32':
      return 'C:\\ProgramData\\policy-managed';
    case 'darwin':
      return '/var/db/policy';
    default:
      return '/var/lib/policy';
  }
}

function foldersOf(platform: string): readonly string[] {
  switch (platform) {
    case 'win32':
      return ['C:\\ProgramData\\policy'];
    case 'darwin':
      return ['/etc/policy', '/Library/Application Support/policy'];
    default:
      return ['/etc/policy'];
  }
}

/** True for a moment, as ISO 8601, that has come. */
export function isPast(moment: string): boolean {
  return Date.parse(moment) <= Date.now();
}

export function organisationFiles(folder: string): readonly ListedFile[] {
  const follow = followLinks({ owner: 'root', workspace: undefined });
  return listPolicyFiles(folder, undefined, undefined, follow).files;
}

/** Why a folder that is there cannot hold policies of the organisation: others than root may change it. */
export function ownerProblem(folder: string): Diagnostic | undefined {
  let open: string | undefined;
  try {
    open = openPlaceOf(folder);
  } catch (error) {
    return problem('owner', startOf(folder), `Cannot tell who may change "${folder}": ${messageOf(error)}`);
  }
  if (open === undefined) return undefined;
  const message = `Cannot use the organisation's policies in "${folder}": others than root may change "${open}"`;
  return problem('owner', startOf(folder), message, `run chown root "${open}" and chmod go-w "${open}"`);
}
