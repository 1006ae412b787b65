import { describe } from 'bun:test';
import { join } from 'node:path';
import { gemini } from '../../../src/hosts/gemini/gemini.ts';
import { testTranscripts } from '../transcripts.ts';

describe('gemini reads and answers', () => {
  testTranscripts(gemini, join(import.meta.dir, 'golden'));
});
