import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Scene } from '../real-host.ts';
import type { StageFor } from './jcli.ts';
import type { ModelRequest, Reply } from './model.ts';
import { AT_HOME, HOUSE } from './policies.ts';

const BRIEF = `
  - {id: brief, on: before_llm, action: modify, rewrite: {add_messages: [{role: user, content: Be brief}]}}
`;

/** Whole conversations of jcli with a model on loopback. */
export async function* talkScenes(stageFor: StageFor): AsyncIterable<Scene> {
  const stage = stageFor(HOUSE);
  const work = await stage.talk(['please work'], (_request, index) =>
    index === 0
      ? [bash('touch pushed'), bash('touch kept'), bash('touch old'), bash('echo key-12')]
      : 'all is well',
  );
  const ran = present(stage.project, 'pushed', 'kept', 'old', 'new');
  yield { name: 'a turn with calls: what ran', expected: 'kept,new', seen: ran };
  // Calls that run are told in the order in which they end; of one that prints nothing jcli says so in brackets.
  const results = toolTexts(work.model.requests.at(-1)).map((text) => text.replaceAll(/\(.*\)|\n/g, ''));
  yield {
    name: 'a turn with calls: what the model was told',
    expected: 'Refused by house/no-push: pushing is for people, not for touch pushed. [redacted]',
    seen: results.toSorted().join(' ').trim(),
  };
  yield {
    name: 'a turn with calls: its end',
    expected: 'all is well',
    seen: lastText(work.turns.at(-1)?.messages),
  };

  const many = Array.from({ length: 10 }, (_, index) => bash(`touch pushed-${index}`));
  const denied = await stageFor(HOUSE).talk(['please push'], (_request, index) =>
    index === 0 ? many : 'well',
  );
  const told = toolTexts(denied.model.requests.at(-1));
  const right = told.filter((text, index) => text.includes(`touch pushed-${index}.`)).length;
  yield { name: 'ten refusals in one answer', expected: '10 of 10', seen: `${right} of ${told.length}` };

  const shy = await stageFor(HOUSE).talk(
    ['you stupid thing', 'start project falcon', 'hello key-7'],
    () => 'hello',
  );
  yield {
    name: 'a refused prompt, an aborted turn, a redacted request',
    expected: '1 request, hello [redacted]',
    seen: `${shy.model.requests.length} request, ${userTexts(shy.model.requests[0]).at(-1)}`,
  };
  const toasts = shy.turns.map(({ toast }) => (toast === null ? 'none' : 'one'));
  yield { name: 'what is shown of them', expected: 'one,one,none', seen: toasts.join() };

  const retry = await stageFor(HOUSE).talk(['fix it'], (_request, index) =>
    index < 3 ? 'all done' : 'never asked',
  );
  const asked = userTexts(retry.model.requests.at(-1)).filter(
    (text) => text === 'Run the tests first',
  ).length;
  yield {
    name: 'the model is sent back twice',
    expected: '3 requests, told 2 times',
    seen: `${retry.model.requests.length} requests, told ${asked} times`,
  };

  const brief = await stageFor(HOUSE + BRIEF).talk(['work', 'work on'], (_request, index) =>
    index % 3 < 2 ? [bash(`echo ${index}`)] : 'well',
  );
  const added = brief.model.requests.map(
    (request) => userTexts(request).filter((text) => text === 'Be brief').length,
  );
  yield { name: 'a message is added once for a turn', expected: '1,1,1,1,1,1', seen: added.join() };

  yield await typing(stageFor);
  yield await startingAtHome(stageFor);

  const broken = stageFor('version: 1\npolicies: [');
  await broken.chain([]);
  const none = await broken.talk(['work'], () => 'never asked');
  yield {
    name: 'a broken policy stops the turn',
    expected: '0 requests',
    seen: `${none.model.requests.length} requests`,
  };
}

/** A shell is started that stays, and then typed into: what is refused, and what runs. */
async function typing(stageFor: StageFor): Promise<Scene> {
  const stage = stageFor(HOUSE);
  const start = { command: 'sh', interactive: true, cwd: stage.project };
  const type = (sid: string, text: string) => ({
    name: 'Session',
    arguments: { action: 'stdin', sid, text },
  });
  await stage.talk(['work'], (request, index): Reply => {
    const sid = /"sid":"(\w+)"/.exec(toolTexts(request).join())?.[1] ?? 'none';
    switch (index) {
      case 0:
        return [{ name: 'Bash', arguments: start }];
      case 1:
        return [type(sid, 'true\\ntouch pushed\\n'), type(sid, 'touch kept\\ntouch end\\n')];
      case 2:
        return [bash(AWAIT_END)];
      default:
        return 'well';
    }
  });
  return {
    name: 'typing into a live shell',
    expected: 'kept',
    seen: present(stage.project, 'pushed', 'kept'),
  };
}

/** A terminal starts in the home directory, which is where the hook has to look. */
async function startingAtHome(stageFor: StageFor): Promise<Scene> {
  const stage = stageFor(AT_HOME);
  const run = (command: string) => ({ name: 'Bash', arguments: { command, interactive: true } });
  await stage.talk(['work'], (_request, index): Reply => {
    if (index === 0) return [run('touch guarded'), run(`touch kept; touch '${join(stage.project, 'end')}'`)];
    return index === 1 ? [bash(AWAIT_END)] : 'well';
  });
  return {
    name: 'a terminal without a directory',
    expected: 'kept',
    seen: present(stage.home, 'guarded', 'kept'),
  };
}

/** Waits until the file is there that the last of the other commands makes. */
const AWAIT_END = 'for i in $(seq 50); do test -e end && break; sleep 0.1; done';

function bash(command: string) {
  return { name: 'Bash', arguments: { command } };
}

function present(folder: string, ...names: readonly string[]): string {
  return names.filter((name) => existsSync(join(folder, name))).join();
}

function toolTexts(request: ModelRequest | undefined): readonly string[] {
  return textsOf(request?.messages, 'tool');
}

function userTexts(request: ModelRequest | undefined): readonly string[] {
  return textsOf(request?.messages, 'user');
}

function textsOf(messages: readonly JsonObject[] = [], role: string): readonly string[] {
  return messages.filter((message) => message['role'] === role).map((message) => String(message['content']));
}

function lastText(messages: readonly JsonObject[] = []): string {
  return String(messages.at(-1)?.['content']);
}
