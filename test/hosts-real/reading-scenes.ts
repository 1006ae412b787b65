import type { Scene } from './real-host.ts';

/** A policy about files, which a call may name otherwise than its host reads it. */
const PRIVATE = `
version: 1
name: house
policies:
  - {id: private, path: 'private/**', action: deny, reason: That folder is private}
`;
const OTHER = PRIVATE.replaceAll('private', 'elsewhere');

/**
 * Calls that make a file under a name that the host reads otherwise than it is in the call: without a policy, to see
 * that it does, under one against it, and beside it.
 *
 * @param calls by what is odd about them, from the path of the file
 * @param play what comes of a call under policies: whether it made the file
 */
export async function* readingScenes<Call>(
  calls: Readonly<Record<string, (path: string) => Call>>,
  play: (call: Call, policies: string, file: string) => Promise<boolean>,
): AsyncIterable<Scene> {
  const ends: readonly (readonly [string, string, string, boolean])[] = [
    ['to any file', 'private/made', OTHER, true],
    ['to a private file', 'private/made', PRIVATE, false],
    ['beside it', 'docs/made', PRIVATE, true],
  ];
  for (const [name, call] of Object.entries(calls)) {
    for (const [where, file, policies, runs] of ends) {
      const made = await play(call(file), policies, file);
      yield { name: `${name}, ${where}`, expected: told(runs), seen: told(made) };
    }
  }
}

function told(made: boolean): string {
  return made ? 'the tool RAN' : 'the tool did not run';
}
