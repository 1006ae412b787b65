import { describe, expect, test } from 'bun:test';
import { createFacts, rememberModel } from '../../src/language/engine/facts.ts';
import type { Event } from '../../src/model/event.ts';
import type { Memory } from '../../src/model/memory.ts';
import { NO_SURROUNDINGS } from '../../src/model/surroundings.ts';
import { BROKEN_MEMORY, llmEvent, testMemory, toolEvent } from '../support/builders.ts';

const factsOf = (event: Event, memory: Memory) => createFacts(event, memory, () => NO_SURROUNDINGS);
const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

function newTexts(memory: ReturnType<typeof testMemory>, ...messages: { role: string; content: string }[]) {
  return factsOf(llmEvent(messages, 's'), memory).newTexts.map(({ text }) => text);
}

describe('newTexts', () => {
  test('are all texts at the first look', () => {
    expect(newTexts(testMemory(), user('a'), assistant('b'))).toEqual(['a', 'b']);
  });

  test('are those after what the last look saw', () => {
    const memory = testMemory();
    newTexts(memory, user('a'));
    expect(newTexts(memory, user('a'), assistant('b'), user('c'))).toEqual(['b', 'c']);
  });

  test('hold the last user message when the same request comes again', () => {
    const memory = testMemory();
    newTexts(memory, user('a'), assistant('b'), user('bad'));
    expect(newTexts(memory, user('a'), assistant('b'), user('bad'))).toEqual(['bad']);
  });

  test('hold a refused message that was dropped and is sent again', () => {
    const memory = testMemory();
    newTexts(memory, user('a'));
    newTexts(memory, user('a'), user('bad'));
    newTexts(memory, user('a'), user('fine'));
    expect(newTexts(memory, user('a'), user('bad'))).toEqual(['bad']);
  });

  test('are everything after a place where the history was changed', () => {
    const memory = testMemory();
    newTexts(memory, user('a'), assistant('b'), user('c'));
    expect(newTexts(memory, user('summary'), user('c'), user('d'))).toEqual(['summary', 'c', 'd']);
  });

  test('are all texts when the state cannot be read', () => {
    expect(factsOf(llmEvent([user('a'), user('b')], 's'), BROKEN_MEMORY).newTexts).toHaveLength(2);
  });
});

describe('model', () => {
  test('is remembered for events of the session that do not carry it', () => {
    const memory = testMemory();
    rememberModel(toolEvent('tool', {}, { model: 'weak-1', session: 's' }), memory);
    expect(factsOf(toolEvent('tool', {}, { session: 's' }), memory).model).toBe('weak-1');
    expect(factsOf(toolEvent('tool', {}, { session: 'other' }), memory).model).toBeUndefined();
  });
});
