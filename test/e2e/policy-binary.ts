import { join } from 'node:path';

/** The built program that the end-to-end tests start. */
export const POLICY = join(import.meta.dir, '../../dist/policy');
