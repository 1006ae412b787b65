import { describe } from 'bun:test';
import { HOSTS } from '../../src/hosts/registry.ts';
import { testTranscripts } from './transcripts.ts';

for (const host of HOSTS) describe(`${host.name} reads and answers`, () => testTranscripts(host));
