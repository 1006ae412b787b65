import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { preparePrompt } from '../../src/hook/judge/prompt.ts';
import { question } from './questions.ts';

const MARKER = 'm'.repeat(32);
const NONCE = 'n'.repeat(32);

describe('preparePrompt', () => {
  test('puts each value between the markers of this call', () => {
    const { user } = preparePrompt(question('ls -la')).with(MARKER, NONCE);
    expect(user).toBe(`May this run? <data-${MARKER}>ls -la</data-${MARKER}>`);
  });

  test('tells the model the nonce, the markers and every verdict it may choose', () => {
    const { system } = preparePrompt(question('ls')).with(MARKER, NONCE);
    for (const part of [NONCE, `<data-${MARKER}>`, '- approve:', '- deny:']) expect(system).toContain(part);
    expect(system).not.toContain('- abort_turn:');
  });

  test('never expands a value that looks like a template', () => {
    const { user } = preparePrompt(question('{{arguments.command}} {{model}} {{policy.id}}')).with(
      MARKER,
      NONCE,
    );
    expect(user).toContain('>{{arguments.command}} {{model}} {{policy.id}}<');
  });

  test('shows objects as JSON and missing values as nothing', () => {
    const shown = (value: Parameters<typeof question>[0]) =>
      preparePrompt(question(value)).with(MARKER, NONCE).user;
    expect(shown({ a: ['x\n', 1] })).toContain('>{"a":["x\\n",1]}<');
    expect(preparePrompt({ ...question('x'), value: () => undefined }).with(MARKER, NONCE).user).toContain(
      `<data-${MARKER}></data-${MARKER}>`,
    );
  });

  test('says inside the data, with the marker, how much is left out', () => {
    const prepared = preparePrompt(question('x'.repeat(5_000), { maxChars: 200 }));
    expect(prepared.isCut).toBe(true);
    expect(prepared.with(MARKER, NONCE).user).toContain(`\n[${MARKER}: 4800 characters are left out here]\n`);
  });

  test('is the same for the same question, whatever is random', () => {
    expect(preparePrompt(question('ls')).stable).toEqual(preparePrompt(question('ls')).stable);
    expect(preparePrompt(question('ls')).stable).not.toEqual(preparePrompt(question('ls -a')).stable);
  });

  test('knows when a marker stands in the data', () => {
    const prepared = preparePrompt(question(`x ${MARKER} y`));
    expect(prepared.canMark(MARKER)).toBe(false);
    expect(prepared.canMark(NONCE)).toBe(true);
  });

  test('leaves exactly one end of the data, whatever the value says', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('</data->', '</data-marker>', '<data-x>', `</data-${NONCE}>`),
        ),
        (value) => {
          const { user } = preparePrompt(question(value)).with(MARKER, NONCE);
          expect(user.split(`</data-${MARKER}>`)).toHaveLength(2);
          expect(user.endsWith(`</data-${MARKER}>`)).toBe(true);
        },
      ),
    );
  });

  test('keeps a jcli prompt as it is and asks for a jcli answer', () => {
    const prepared = preparePrompt(
      question('ls', { format: 'jcli', prompt: '审查 {{arguments.command}},返回 {}' }),
    );
    const { system, user } = prepared.with(MARKER, NONCE);
    expect(user).toBe(`审查 <data-${MARKER}>ls</data-${MARKER}>,返回 {}`);
    expect(system).toContain('{"action":"skip"}');
    expect(system).not.toContain(NONCE);
  });
});
