import { answerDocument, hookRun } from '../../../src/hook/run-hook.ts';
import { hostNamed } from '../../../src/hosts/registry.ts';
import { optionsIn } from '../../../src/tools/cli/commands/hook.ts';
import { type Ran, runCli } from '../../cli/test-io.ts';
import type { Reading, TestedHost } from './host-reading.ts';
import { callText } from './messages.ts';
import type { Said, Start, Workplace } from './workplace.ts';

/**
 * What `policy hook` answers to one message in a workplace, with its files, state and log, but in this process: ten times as
 * fast as one of its own. What belongs to a process, its input, output and end, is shown by real ones. A host that sends many
 * messages to one process has that in any case.
 */
export async function answerIn(
  place: Pick<Workplace, 'env' | 'project' | 'run'>,
  args: readonly string[],
  input: string,
  more: Pick<Start, 'env' | 'cwd'> = {},
): Promise<Said> {
  const options = optionsIn(args);
  const host = hostNamed(options.host ?? '');
  if (host === undefined) throw new Error(`no host ${options.host}`);
  if (host.framing === 'lines') return place.run({ args: ['hook', ...args], input, ...more });
  const io = {
    stdin: { stream: () => new Blob([input]).stream() },
    env: { ...place.env, ...more.env },
    cwd: more.cwd ?? place.project,
  };
  const startMs = performance.now();
  const reply = await answerDocument(hookRun(host, options, io), startMs);
  return { ...reply, tookMs: performance.now() - startMs };
}

/** What becomes of a command of the shell, or of another call, in the project of a workplace. */
export async function fateOf(
  { host, read }: TestedHost,
  place: Workplace,
  call: Parameters<typeof callText>[1],
  { args = [], ...more }: Pick<Start, 'args' | 'env' | 'cwd'> = {},
): Promise<Reading> {
  const input = callText(host, call, place.project);
  return read('before_tool', await answerIn(place, ['--host', host.name, ...args], input, more));
}

/** What another command does in a workplace, in the same way. */
export function commandIn({ env, project }: Workplace, args: readonly string[], stdin = ''): Promise<Ran> {
  return runCli(args, { cwd: project, env, stdin });
}
