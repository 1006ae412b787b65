import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  approvalText,
  MAX_REASON_BYTES,
  type ReasonParts,
  reasonParts,
  refusalText,
} from '../../src/language/actions/reason.ts';
import { renderFrom } from './input.ts';

const render = renderFrom({ arguments: { command: 'git push -f', note: 'line 1\nline \u202e2' } });

const CASES: readonly (readonly [string, ReasonParts, string])[] = [
  [
    'reason and instead become two sentences',
    {
      reason: 'A force push rewrites history that others have pulled',
      instead: 'Push a new branch and open a pull request',
    },
    'Refused by git/push: a force push rewrites history that others have pulled. Instead: push a new branch and open a pull request.',
  ],
  ['no reason leaves the name', {}, 'Refused by git/push.'],
  [
    'no reason takes the description',
    { description: 'Keeps history' },
    'Refused by git/push: keeps history.',
  ],
  ['a reason beats the description', { reason: 'No', description: 'Yes' }, 'Refused by git/push: no.'],
  [
    'braces in a description stay',
    { description: 'Uses {{arguments.command}}' },
    'Refused by git/push: uses {{arguments.command}}.',
  ],
  ['instead without a reason', { instead: 'Ask first' }, 'Refused by git/push. Instead: ask first.'],
  ['a blank reason is none', { reason: ' \n ' }, 'Refused by git/push.'],
  ['a final period is not doubled', { reason: 'No pushes.' }, 'Refused by git/push: no pushes.'],
  ['a final question mark stays', { reason: 'Really?' }, 'Refused by git/push: really?'],
  ['a period inside quotes counts', { reason: 'It says "stop."' }, 'Refused by git/push: it says "stop."'],
  ['a trailing comma gives way', { reason: 'No pushes, ' }, 'Refused by git/push: no pushes.'],
  ['an acronym keeps its case', { reason: 'API keys leak' }, 'Refused by git/push: API keys leak.'],
  [
    'a name with inner capitals keeps its case',
    { reason: 'GitHub is down' },
    'Refused by git/push: GitHub is down.',
  ],
  ['I keeps its case', { reason: 'I said no' }, 'Refused by git/push: I said no.'],
  ['folded lines of the author become one', { reason: 'No\n  pushes\n' }, 'Refused by git/push: no pushes.'],
  [
    'a template is filled in',
    { reason: '{{arguments.command}} is off' },
    'Refused by git/push: git push -f is off.',
  ],
  [
    'a filled-in value keeps its case',
    { reason: '{{arguments.command}}' },
    'Refused by git/push: git push -f.',
  ],
  [
    'control characters of a value are shown',
    { reason: 'Not {{arguments.note}}' },
    'Refused by git/push: not line 1\\nline \\u{202e}2.',
  ],
];

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
