import { kindOf } from '../../../language/policy/files/folders.ts';
import {
  MANAGED_FOLDER,
  MANAGED_RECORD,
  ORGANISATION_FOLDERS,
} from '../../../language/policy/files/organisation.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../io.ts';
import { readManaged } from '../sync/managed.ts';

export const sync = {
  options: [],
  details: [
    'Fetches the signed bundle that a file of the organisation names under "managed", and activates it. Root runs this\nfrom a timer, which policy install --system sets up.',
    'If a bundle cannot be fetched, verified or loaded, the current one stays in force and the exit code is 1. See\ndocs/bundles.md.',
  ],
  example: ['$ sudo policy sync', 'acme 1.4.0 is in force now'],
  async run(_args, io) {
    const managed = readManaged(ORGANISATION_FOLDERS);
    const isKept = kindOf(`${MANAGED_FOLDER}/${MANAGED_RECORD}`) !== 'missing';
    if (managed === undefined && !isKept) {
      io.stdout.write(`Nothing is managed: no file in ${ORGANISATION_FOLDERS.join(' or ')} says "managed"\n`);
      return EXIT_CODE.ok;
    }
    if (managed !== undefined && 'cause' in managed) {
      io.stderr.write(`policy sync: ${managed.cause}\n`);
      return EXIT_CODE.invalidPolicy;
    }
    const { putInForce, takeOutOfForce } = await import('../sync/put-in-force.ts');
    return managed === undefined ? takeOutOfForce(io) : putInForce(managed, io);
  },
} satisfies Command;
