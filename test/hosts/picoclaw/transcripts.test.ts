import { join } from 'node:path';
import { picoclaw } from '../../../src/hosts/picoclaw/picoclaw.ts';
import { testTranscripts } from '../transcripts.ts';

testTranscripts(picoclaw, join(import.meta.dir, 'golden'));
