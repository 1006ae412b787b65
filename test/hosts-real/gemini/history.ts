import { readdirSync } from 'node:fs';
import type { Answer } from '../../e2e/gemini/cli.ts';
import { historyScenes, type Wish } from '../history-scenes.ts';
import type { Scene } from '../real-host.ts';
import { play } from './play.ts';

/** The scenes of what came before. */
export function history(program: string): AsyncIterable<Scene> {
  return historyScenes(({ policies, files, wishes }) =>
    play(
      {
        program,
        call: '',
        answers: wishes.map(wished),
        events: ['BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent'],
        policies,
        files: () =>
          Object.fromEntries(Object.entries(files).map(([name, text]) => [`project/${name}`, text])),
      },
      ({ requests, project }) => ({ requests, made: readdirSync(project, { recursive: true }).map(String) }),
    ),
  );
}

function wished(wish: Wish): Answer {
  if (typeof wish === 'string') return wish;
  if ('shell' in wish) return { call: 'run_shell_command', args: { command: wish.shell } };
  return 'read' in wish
    ? { call: 'read_file', args: { file_path: wish.read } }
    : { call: 'write_file', args: { file_path: wish.write, content: 'text' } };
}
