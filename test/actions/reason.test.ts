import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { load } from 'js-yaml';
import {
  approvalText,
  MAX_REASON_BYTES,
  type ReasonParts,
  reasonParts,
  refusalText,
} from '../../src/language/actions/reason.ts';
import { renderFrom } from './input.ts';

const render = renderFrom({ arguments: { command: 'git push -f', note: 'line 1\nline \u202e2' } });

const CASES = load(readFileSync(join(import.meta.dir, 'reason.yaml'), 'utf8')) as readonly (readonly [
  string,
  ReasonParts,
  string,
])[];

describe('refusalText', () => {
  test.each(CASES)('%s', (_, parts, expected) => {
    expect(refusalText('git/push', parts, render)).toBe(expected);
  });

  test('keeps the way out when the reason is cut', () => {
    const huge = renderFrom({ arguments: { command: 'é'.repeat(5000) } });
    const parts = { reason: 'Not {{arguments.command}}', instead: 'Ask' };
    const text = refusalText('git/push', parts, huge);
    expect(text).toEndWith('é… Instead: ask.');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_REASON_BYTES);
  });

  test('does not repeat a secret of the call', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const text = refusalText(
      'x/y',
      { reason: 'Not {{arguments.command}}' },
      renderFrom({ arguments: { command: secret } }),
    );
    expect(text).not.toContain(secret);
    expect(text).toStartWith('Refused by x/y: not ');
  });

  test('is one visible line of at most 2 KiB that names the policy whatever is filled in', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 4000 }),
        fc.string({ unit: 'binary', maxLength: 4000 }),
        (reason, instead) => {
          const values = renderFrom({ reason, instead });
          const text = refusalText('a/b', { reason: 'So {{reason}}', instead: '{{instead}}' }, values);
          expect(text).toStartWith('Refused by a/b: so');
          expect(text).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_REASON_BYTES);
        },
      ),
    );
  });
});

test('approvalText says who needs the approval', () => {
  const text = approvalText('git/push', { reason: 'It is public' }, render);
  expect(text).toBe('Approval needed by git/push: it is public.');
});

test('reasonParts takes own strings only', () => {
  expect(reasonParts({ reason: 'a', instead: 1 })).toEqual({
    reason: 'a',
    instead: undefined,
    description: undefined,
  });
});
