import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DecisionRecord } from '../../../src/hook/audit/record.ts';
import { type LineClient, request, resultOf, shellCall, startLines } from '../hook/line-client.ts';
import type { Workplace } from '../hook/workplace.ts';

/** What a host is told about one call of the shell. */
export interface HostAnswer {
  readonly refused: boolean;
  /** As the decision log has it: not every host takes a reason. */
  readonly reason: string;
  readonly tookMs: number;
  /** Everything that left the process, and the log. */
  readonly everything: string;
  readonly record: DecisionRecord;
}

export const HOST_NAMES = ['gemini', 'jcli', 'picoclaw'] as const;
export type HostName = (typeof HOST_NAMES)[number];

export interface AskOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Lets a host ask the program about one command, as the host would do it. */
export function askHost(
  host: HostName,
  place: Workplace,
  command: string,
  options: AskOptions = {},
): Promise<HostAnswer> {
  return host === 'picoclaw'
    ? askPicoclaw(place, command, options)
    : askDocument(host, place, command, options);
}

async function askDocument(
  host: 'gemini' | 'jcli',
  place: Workplace,
  command: string,
  { args = [], env = {} }: AskOptions,
): Promise<HostAnswer> {
  const input = host === 'gemini' ? geminiCall(place.project, command) : jcliCall(place.project, command);
  const said = await place.run({ args: ['hook', '--host', host, ...args], input, env });
  const output = said.stdout.trim() === '' ? {} : JSON.parse(said.stdout);
  const record = lastRecord(place);
  return {
    refused: output.decision === 'deny' || output.action === 'skip' || output.action === 'stop',
    reason: record.reason ?? '',
    tookMs: said.tookMs,
    everything: `${said.stdout}\n${said.stderr}\n${JSON.stringify(record)}`,
    record,
  };
}

export function geminiCall(cwd: string, command: string): string {
  return JSON.stringify({
    session_id: 's',
    transcript_path: '',
    cwd,
    hook_event_name: 'BeforeTool',
    timestamp: '2026-01-01T00:00:00Z',
    tool_name: 'run_shell_command',
    tool_input: { command },
  });
}

function jcliCall(cwd: string, command: string): string {
  return JSON.stringify({
    event: 'pre_tool_execution',
    session_id: 's',
    cwd,
    tool_name: 'Shell',
    tool_arguments: JSON.stringify({ command }),
  });
}

/** PicoClaw without the approve mode: `before_tool` has the only say. */
async function askPicoclaw(
  place: Workplace,
  command: string,
  { args = [], env = {} }: AskOptions,
): Promise<HostAnswer> {
  const client = startLines(place, args, env);
  client.send(`${hello(['tool'])}\n`);
  await client.answerTo(1);
  const startMs = performance.now();
  client.send(`${shellCall(2, command)}\n`);
  const result = resultOf(await client.answerTo(2, 20_000));
  const tookMs = performance.now() - startMs;
  await leave(client);
  const record = lastRecord(place);
  return {
    refused: result['action'] === 'deny_tool',
    reason: record.reason ?? '',
    tookMs,
    everything: `${client.lines().join('\n')}\n${client.stderr()}\n${JSON.stringify(record)}`,
    record,
  };
}

/** The greeting of PicoClaw, with the modes of its configuration. */
export function hello(modes: readonly string[]): string {
  return request(1, 'hook.hello', { name: 'policy', version: 1, modes });
}

export async function leave(client: LineClient): Promise<void> {
  client.close();
  await client.ended;
}

function lastRecord(place: Workplace): DecisionRecord {
  return logRecords(place).at(-1) ?? ({} as DecisionRecord);
}

/** The decision log of a workplace. */
export function logRecords(place: Workplace): readonly DecisionRecord[] {
  const text = readFileSync(join(place.state, 'decisions.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as DecisionRecord);
}

/** A policy file with one judge on all commands of the shell. */
export function judgeFile(
  settings: Readonly<Record<string, unknown>>,
  policy: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({
    version: 1,
    name: 'house',
    judges: { local: { model: 'tested', retry: 0, ...settings } },
    policies: [
      {
        id: 'judged',
        type: 'llm_judge',
        judge: 'local',
        tool: 'shell',
        prompt: 'May this run? {{arguments.command}}',
        ...policy,
      },
    ],
  });
}
