import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseJcliAnswer } from '../../src/hook/judge/jcli-answer.ts';
import { JudgeError } from '../../src/hook/judge/judge-error.ts';
import { parseVerdict } from '../../src/hook/judge/parse-verdict.ts';

const NONCE = 'a0b1c2d3';
const OFFERED = ['approve', 'deny'] as const;

function answer(parts: Record<string, unknown> = {}): string {
  return JSON.stringify({ nonce: NONCE, reason: 'fine', confidence: 0.8, verdict: 'approve', ...parts });
}

function failureOf(text: string): string {
  try {
    parseVerdict(text, NONCE, OFFERED);
    return 'none';
  } catch (error) {
    return error instanceof JudgeError ? error.failure : String(error);
  }
}

describe('parseVerdict', () => {
  test('takes the object that was asked for', () => {
    expect(parseVerdict(answer(), NONCE, OFFERED)).toEqual({
      verdict: 'approve',
      confidence: 0.8,
      reason: 'fine',
    });
    expect(failureOf(`\n${answer()}\n`)).toBe('none');
    expect(failureOf(answer({ reason: 'a "quoted": {word}' }))).toBe('none');
  });

  test('takes it in one code block, as servers without structured output give it', () => {
    expect(failureOf(`\`\`\`json\n${answer()}\n\`\`\``)).toBe('none');
    expect(failureOf(`\`\`\`\n${answer()}\n\`\`\`\n`)).toBe('none');
  });

  test.each([
    ['nothing', '', 'not-json'],
    ['plain words', 'approve', 'not-json'],
    ['words around it', `Sure! ${answer()}`, 'not-json'],
    ['two objects', `${answer()}${answer()}`, 'not-json'],
    ['two code blocks', `\`\`\`\n${answer()}\n\`\`\`\n\`\`\`\n${answer()}\n\`\`\``, 'not-json'],
    ['a list', `[${answer()}]`, 'wrong-shape'],
    ['null', 'null', 'wrong-shape'],
    ['a text', JSON.stringify(answer()), 'wrong-shape'],
    ['another verdict', answer({ verdict: 'allow' }), 'wrong-shape'],
    ['a verdict that was not offered', answer({ verdict: 'abort_turn' }), 'wrong-shape'],
    ['a verdict in capitals', answer({ verdict: 'APPROVE' }), 'wrong-shape'],
    ['a verdict that every object has', answer({ verdict: 'constructor' }), 'wrong-shape'],
    ['a confidence over 1', answer({ confidence: 95 }), 'wrong-shape'],
    ['a confidence as text', answer({ confidence: '0.9' }), 'wrong-shape'],
    ['no confidence', answer({ confidence: undefined }), 'wrong-shape'],
    ['no reason', answer({ reason: undefined }), 'wrong-shape'],
    ['a further key', answer({ action: 'approve' }), 'wrong-shape'],
    ['two verdicts', answer().replace('{', '{"verdict":"deny",'), 'wrong-shape'],
    ['no nonce', answer({ nonce: undefined }), 'wrong-shape'],
    ['an empty nonce', answer({ nonce: '' }), 'wrong-nonce'],
    ['another nonce', answer({ nonce: 'a0b1c2d4' }), 'wrong-nonce'],
    ['a nonce with a space', answer({ nonce: `${NONCE} ` }), 'wrong-nonce'],
    ['a book', answer({ reason: 'x'.repeat(20_000) }), 'too-large'],
  ])('takes %s for an error', (_name, text, failure) => {
    expect(failureOf(text)).toBe(failure);
  });

  test('shortens a long reason', () => {
    expect(parseVerdict(answer({ reason: '😀'.repeat(2_000) }), NONCE, OFFERED).reason.length).toBeLessThan(
      605,
    );
  });

  test('throws nothing but JudgeError, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((reason) => answer({ reason })),
        ),
        (text) => {
          expect(['none', 'not-json', 'wrong-shape', 'wrong-nonce', 'too-large']).toContain(failureOf(text));
        },
      ),
    );
  });
});

const JCLI = ['approve', 'retry_feedback', 'deny', 'abort_turn'] as const;

describe('parseJcliAnswer', () => {
  test.each([
    ['{}', 'approve'],
    ['{"action":"skip"}', 'deny'],
    ['{"action":"stop"}', 'abort_turn'],
    ['{"abort":true}', 'abort_turn'],
    ['{"abort":false}', 'approve'],
    ['{"retry_feedback":"run the tests first"}', 'retry_feedback'],
    ['{"action":"skip","system_message":"too risky"}', 'deny'],
  ])('reads %s as %s', (text, verdict) => {
    expect(parseJcliAnswer(text, JCLI).verdict).toBe(verdict as never);
  });

  test('hands on the feedback and the message', () => {
    expect(parseJcliAnswer('{"retry_feedback":"run the tests"}', JCLI).reason).toBe('run the tests');
    expect(parseJcliAnswer('{"action":"skip","system_message":"too risky"}', JCLI).reason).toBe('too risky');
  });

  test.each([
    '',
    'null',
    'ok {}',
    '{"action":"deny"}',
    '{"action":"constructor"}',
    '{"action":null}',
    '{"abort":"yes"}',
    '{"retry_feedback":7}',
    '{"tool_arguments":"{}"}',
    '{"action":"skip","action":null}',
    '{"abort":true,"abort":false,"system_message":{}}',
    '{"action":"skip","system_message":["no"]}',
    '{"decision":"allow"}',
  ])('takes %s for an error', (text) => {
    expect(() => parseJcliAnswer(text, JCLI)).toThrow(JudgeError);
  });

  test('takes a verdict for an error that the policy does not offer', () => {
    expect(() => parseJcliAnswer('{"action":"stop"}', ['approve', 'deny'])).toThrow(JudgeError);
  });
});
