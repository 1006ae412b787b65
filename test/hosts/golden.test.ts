import { describe } from 'bun:test';
import { join } from 'node:path';
import { HOSTS } from '../../src/hosts/registry.ts';
import { testTranscripts } from './transcripts.ts';

for (const host of HOSTS)
  describe(`${host.name} reads and answers`, () =>
    testTranscripts(host, join(import.meta.dir, host.name, 'golden')));
