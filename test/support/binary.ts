import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The built program, or the one that `POLICY_BINARY` names. */
export const BINARY = resolve(process.env['POLICY_BINARY'] ?? join(import.meta.dir, '../../dist/policy'));

if (!existsSync(BINARY)) {
  throw new Error(`Cannot test "${BINARY}": there is no such program; run npm run build`);
}
