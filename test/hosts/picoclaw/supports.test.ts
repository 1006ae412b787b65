import { describe, expect, test } from 'bun:test';
import { picoclaw } from '../../../src/hosts/picoclaw/picoclaw.ts';
import { REWRITE_FORMS } from '../../../src/language/actions/rewrite/registry.ts';
import { eventOf, setting } from './open-event.ts';
import { CALL, current, old } from './requests.ts';

describe('what PicoClaw supports', () => {
  test('has an answer in place of the tool since 0.2.6', () => {
    const since = picoclaw.versions.filter((v) =>
      picoclaw.supports(v).before_tool?.actions.includes('respond'),
    );
    expect(since).toEqual(['0.2.6', '0.2.7', '0.2.8', '0.2.9']);
  });

  test('takes other system prompts, all new messages and fewer tools before 0.2.8, more tools always', () => {
    const versions = (form: string) =>
      picoclaw.versions.filter((v) => picoclaw.supports(v).before_llm?.rewrites.includes(form));
    expect(versions('system_prompt')).toEqual(['0.2.4', '0.2.5', '0.2.6', '0.2.7']);
    expect(versions('remove_tools')).toEqual(versions('system_prompt'));
    expect(versions('messages')).toEqual(versions('system_prompt'));
    expect(versions('add_tools')).toEqual([...picoclaw.versions]);
  });

  test('knows the kind of chat since 0.2.7', () => {
    const versions = picoclaw.versions.filter((v) =>
      picoclaw.supports(v).before_tool?.context.includes('chat_type'),
    );
    expect(versions).toEqual(['0.2.7', '0.2.8', '0.2.9']);
  });

  test('is the same object each time, and the newest for what is not known', () => {
    expect(picoclaw.supports('0.2.9')).toBe(picoclaw.supports(undefined));
    expect(picoclaw.supports('9.9.9')).toBe(picoclaw.supports(undefined));
  });

  test.each(picoclaw.versions)('%s names rewrites of the event they are for', (version) => {
    for (const [kind, support] of Object.entries(picoclaw.supports(version))) {
      for (const name of support.rewrites) {
        const form = REWRITE_FORMS.find(({ key }) => key === name);
        if (form !== undefined)
          expect([name, form.events as readonly string[]]).toEqual([name, expect.arrayContaining([kind])]);
      }
    }
  });

  test('every event that a message can be is in the matrix', () => {
    for (const kind of Object.values(picoclaw.events))
      expect(picoclaw.supports(undefined)).toHaveProperty(kind);
  });

  test('versionOf reads the version from the message unless it is told', () => {
    const now = eventOf(current('hook.before_tool', CALL));
    const before = eventOf(old('hook.before_tool', CALL));
    expect(picoclaw.versionOf(now, setting())).toBe('0.2.9');
    expect(picoclaw.versionOf(before, setting())).toBe('0.2.6');
    expect(picoclaw.versionOf(before, setting('0.2.4'))).toBe('0.2.4');
  });

  test('waits a minute for approvals and five seconds for the rest', () => {
    expect(picoclaw.timeoutS('approve_tool')).toBe(60);
    expect(picoclaw.timeoutS('before_tool')).toBe(5);
  });
});
