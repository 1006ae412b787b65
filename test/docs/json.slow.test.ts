import { describe, expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json } from '../../src/lib/json.ts';
import { workplace } from '../e2e/hook/workplace.ts';
import { BINARY } from '../support/binary.ts';
import { codeBlocks, pageText } from './markdown.ts';

const PAGE = 'docs/json.md';
const BLOCKS = codeBlocks(PAGE);
const LEFT_OUT = '…';
/** Whose keys are the host's, the author's or shown elsewhere. */
const NOT_OURS = ['subject', 'result', 'params', 'commands', 'hook'];

/** What the built program prints for a line of the page, after one refused call of the shell. */
async function printed(command: string): Promise<Json> {
  const place = workplace();
  for (const { text } of BLOCKS.filter(({ language }) => language === 'yaml')) {
    const [, name = ''] = /^# (\S+)\n/.exec(text) ?? [];
    place.write({ [`project/${name}`]: text });
  }
  symlinkSync(BINARY, join(place.folder, 'policy'));
  const call = {
    hook_event_name: 'BeforeTool',
    session_id: 's',
    cwd: place.project,
    tool_name: 'run_shell_command',
    tool_input: { command: 'git push -f' },
  };
  if (command.includes(' scan ')) {
    const toolCalls = [
      { id: 'c', name: call.tool_name, args: call.tool_input, timestamp: '2026-11-20T09:38:00Z' },
    ];
    const records = [
      { sessionId: 's', projectHash: 'h' },
      { id: 'm', type: 'gemini', toolCalls },
    ];
    place.write({
      'home/.gemini/tmp/project/chats/session-s.jsonl': records
        .map((each) => `${JSON.stringify(each)}\n`)
        .join(''),
    });
  }
  await place.run({
    args: ['hook', '--host', 'gemini', '--policies', '.policy'],
    input: JSON.stringify(call),
  });
  const { stdout, stderr } = await place.run({
    shell: command,
    env: { PATH: `${place.folder}:${place.env['PATH']}` },
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** Where a shown document says something else than the printed one. */
function differences(shown: Json, actual: Json, path: string): readonly string[] {
  if (shown === LEFT_OUT) return [];
  if (typeof shown === 'string' && typeof actual === 'string') {
    const parts = shown.split(LEFT_OUT);
    const fits =
      actual.startsWith(parts[0] ?? '') && actual.endsWith(parts.at(-1) ?? '') && parts.length <= 2;
    return fits && (parts.length === 2 || shown === actual) ? [] : [`${path}: ${actual}`];
  }
  if (/_[um]s$/.test(path) && typeof actual === 'number') return [];
  if (Array.isArray(shown) && Array.isArray(actual)) {
    const isPart = shown.at(-1) === LEFT_OUT;
    const items = isPart ? shown.slice(0, -1) : shown;
    const length = isPart || shown.length === actual.length ? [] : [`${path}: ${actual.length} items`];
    return [
      ...length,
      ...items.flatMap((item, index) => differences(item, actual[index] ?? null, `${path}.${index}`)),
    ];
  }
  if (isJsonObject(shown) && isJsonObject(actual)) {
    const more = Object.keys(actual).filter((key) => !Object.hasOwn(shown, key));
    return [
      ...(Object.hasOwn(shown, LEFT_OUT) ? [] : more.map((key) => `${path}.${key} is not shown`)),
      ...Object.entries(shown)
        .filter(([key]) => key !== LEFT_OUT)
        .flatMap(([key, value]) => differences(value, actual[key] ?? null, `${path}.${key}`)),
    ];
  }
  return shown === actual ? [] : [`${path}: ${JSON.stringify(actual)}`];
}

/** Every key with its value, wherever it stands. */
function entriesIn(value: Json): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) return value.flatMap(entriesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inside]) => [
    [key, inside] as const,
    ...(NOT_OURS.includes(key) ? [] : entriesIn(inside)),
  ]);
}

describe(PAGE, () => {
  for (const { text } of BLOCKS.filter(({ language }) => language === 'console')) {
    const [first = '', ...rest] = text.split('\n');
    const command = first.replace(/^\$ /, '');

    test(`shows what comes of ${command}`, async () => {
      const actual = await printed(command);
      expect(differences(JSON.parse(rest.join('\n')), actual, '')).toEqual([]);
      const entries = entriesIn(actual);
      const page = pageText(PAGE);
      const unsaid = entries.filter(([key]) => !page.includes(`"${key}"`) && !page.includes(`\`${key}\``));
      expect(unsaid.map(([key]) => key)).toEqual([]);
      const uneven = entries.filter(([key, value]) => /_(us|ms)$/.test(key) && !Number.isInteger(value));
      expect(uneven).toEqual([]);
      expect(entries.filter(([key]) => /(duration|time|timeout)$|_s$/.test(key) && key !== 'time')).toEqual(
        [],
      );
    });
  }
});
