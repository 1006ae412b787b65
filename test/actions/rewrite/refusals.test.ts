import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { WITHHELD } from '../../../src/language/actions/rewrite/command-names.ts';
import { RewriteError } from '../../../src/language/actions/rewrite/paths.ts';
import { rewriteForm } from '../../../src/language/actions/rewrite/registry.ts';
import type { Json, JsonObject } from '../../../src/lib/json.ts';
import type { EventKind } from '../../../src/model/event.ts';
import { SECRET_DETECTORS } from '../../../src/reader/secrets/detectors.ts';
import { rewriteInput } from '../input.ts';

function apply(key: string, kind: EventKind, spec: Json, subject: JsonObject): JsonObject | undefined {
  return rewriteForm(key)?.apply(spec, subject, rewriteInput(kind, subject));
}

const IMPOSSIBLE = load(readFileSync(join(import.meta.dir, 'refusals.yaml'), 'utf8')) as readonly (readonly [
  string,
  string,
  EventKind,
  Json,
  JsonObject,
])[];

describe('a rewrite that cannot be carried out throws', () => {
  test.each(IMPOSSIBLE)('%s', (_, key, kind, spec, subject) => {
    expect(() => apply(key, kind, spec, subject)).toThrow(RewriteError);
  });
});

describe('a text too large to check', () => {
  const large = 'ab'.repeat(2_000_000);
  const regex = '(a|b){200}x?';

  test.each(['replace', 'redact'])('is withheld by %s', (key) => {
    const changed = apply(key, 'after_tool', [{ regex, with: '' }], {
      result: { for_llm: large, for_user: 'c' },
    });
    expect<unknown>(changed).toEqual({ result: { for_llm: WITHHELD, for_user: 'c' } });
  });

  test('refuses the call by replace before a tool', () => {
    const subject = { tool: 'write', arguments: { content: large } };
    expect(() => apply('replace', 'before_tool', [{ regex, with: '' }], subject)).toThrow(RewriteError);
  });
});

describe('redact with detectors', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const subject = { result: { for_llm: `token ${token} end`, for_user: token } };

  test('takes every kind of secret out with secrets', () => {
    const text = JSON.stringify(apply('redact', 'after_tool', ['secrets'], subject));
    expect(text).not.toContain(token);
    expect(text).toContain('token ');
  });

  test('takes out only what the named detector finds', () => {
    const others = SECRET_DETECTORS.filter(
      ({ name }) => !JSON.stringify(apply('redact', 'after_tool', [name], subject)).includes(token),
    );
    expect(others.length).toBeGreaterThan(0);
    expect(others.length).toBeLessThan(SECRET_DETECTORS.length);
  });
});

const PROBLEMS: readonly (readonly [string, string, Json, readonly string[]])[] = [
  [
    'a bad regex',
    'replace',
    [
      { regex: 'a', with: '' },
      { regex: '(a', with: '' },
    ],
    ['regex at 1.regex'],
  ],
  ['a bad template in with', 'replace', [{ regex: 'a', with: '{{ b c }}' }], ['template at 0.with']],
  ['a bad path in at', 'replace', [{ at: 'a.', regex: 'a', with: '' }], ['bad-value at 0.at']],
  ['an unknown detector', 'redact', ['secrets', 'nonesuch'], ['bad-value at 1']],
  ['a bad regex to redact', 'redact', [{ regex: '[' }], ['regex at 0.regex']],
  ['a mark that the pattern matches again', 'redact', [{ regex: 'redacted' }], ['bad-value at 0.regex']],
  ['a text that the pattern changes again', 'redact', [{ regex: 'x', with: 'xx' }], ['bad-value at 0.with']],
  ['a text that the pattern leaves alone', 'redact', [{ regex: 'k=\\S+', with: 'k=***' }], []],
  ['a bad path to set', 'set', { 'a..b': 1 }, ['bad-value at a..b']],
  ['a bad template to set', 'set', { a: ['{{'] }, ['template at a.0']],
  ['a bad path to remove', 'remove', ['a', '.'], ['bad-value at 1']],
  ['a bad template in a name', 'rename_tool', '{{', ['template at ']],
  ['a bad template in a model', 'model', '{{', ['template at ']],
  ['a bad template in an option', 'options', { a: '{{' }, ['template at a']],
  ['a bad template in a message', 'messages', [{ role: 'user', content: '{{' }], ['template at 0.content']],
  [
    'a bad template in an added message',
    'add_messages',
    [{ role: 'user', content: '{{' }],
    ['template at 0.content'],
  ],
  ['a bad template in the system prompt', 'system_prompt', { append: '{{' }, ['template at append']],
  [
    'problems inside an edit',
    'edit_tool_calls',
    [{ name: 'x', set: { 'a.': '{{' }, remove: [''], rename: '{{' }],
    ['bad-value at 0.set.a.', 'template at 0.set.a.', 'bad-value at 0.remove.0', 'template at 0.rename'],
  ],
];

describe('check', () => {
  test.each(PROBLEMS)('%s', (_, key, spec, expected) => {
    const problems = rewriteForm(key)?.check?.(spec) ?? [];
    expect(problems.map(({ code, path }) => `${code} at ${path.join('.')}`)).toEqual([...expected]);
  });

  test('suggests the detector that was meant', () => {
    expect(rewriteForm('redact')?.check?.(['secret'])[0]?.hint).toBe('did you mean "secrets"?');
  });
});
