import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { historyScenes, type Lacks, type Wish } from '../history-scenes.ts';
import type { Scene } from '../real-host.ts';
import type { Answer } from './model-server.ts';
import { type NpmHost, play } from './npm-host.ts';

/** The scenes of what came before, in the words of a host. */
export function historyOf(
  host: NpmHost,
  policy: string,
  wished: (wish: Wish) => Answer,
  lacks: Lacks = {},
): AsyncIterable<Scene> {
  return historyScenes(
    ({ policies, files, wishes }) =>
      play(
        host,
        {
          policy,
          policies,
          answers: wishes.map(wished),
          prepare: (_home, project) => layOut(project, files),
        },
        ({ requests, project }) => ({ requests, made: filesIn(project) }),
      ),
    lacks,
  );
}

function layOut(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true }).map(String);
}
