import { join } from 'node:path';
import { BUILD_INFO } from '../../../language/generated/build-info.ts';
import { ORGANISATION_TEXTS } from '../../generated/organisation-texts.ts';
import type { Io } from '../io.ts';
import { VERSION } from '../version.ts';
import { writeNew } from './write-new.ts';

/** Where the repository of an organisation has its policies. */
export const ORGANISATION_POLICIES = 'policies';

/** Writes what the repository of an organisation begins with, for this version of the program. */
export function writeOrganisation(io: Io): void {
  for (const [name, text] of Object.entries(ORGANISATION_TEXTS))
    writeNew(
      join(io.cwd, name),
      text.replaceAll('{{version}}', VERSION).replaceAll('{{commit}}', BUILD_INFO.commit),
      name,
      io,
    );
}
