import { describe } from 'bun:test';
import { join } from 'node:path';
import { jcli } from '../../../src/hosts/jcli/jcli.ts';
import { testTranscripts } from '../transcripts.ts';

describe('jcli reads and answers', () => {
  testTranscripts(jcli, join(import.meta.dir, 'golden'));
});
