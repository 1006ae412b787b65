import { readdirSync } from 'node:fs';
import { writeFiles } from '../../support/write-files.ts';
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
          prepare: (_home, project) => writeFiles(project, files),
        },
        ({ requests, project }) => ({ requests, made: filesIn(project) }),
      ),
    lacks,
  );
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true }).map(String);
}
