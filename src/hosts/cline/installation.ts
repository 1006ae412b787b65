import { isJsonObject, type Json, own, ownString } from '../../lib/json.ts';
import { ConfigurationProblem } from '../configuration-problem.ts';
import type { Host } from '../host.ts';
import {
  finding,
  type HookAnswer,
  type Installation,
  lineFindings,
  programIn,
  REINSTALL,
  readBy,
  type TakenAs,
} from '../installation.ts';

const FILE = '.cline/hooks/PreToolUse.sh';
const HEAD = '#!/bin/sh\n# Asks policy about each call. Written by policy install.\n';

/** The hook of Cline about calls: a script that is called like its event. */
export function installationFor(host: Host): Installation {
  const lineIn = (text: string) => text.split('\n').find((line) => programIn(line, host.name) !== undefined);
  const written = (line: string) => `${HEAD}${line}\n`;
  return {
    programs: ['cline'],
    release: { newest: '3.0.65', args: ['--version'] },
    folder: ({ home }) => `${home}/.cline`,
    guarding: ['before_tool'],
    places: (scope, { home, project }) =>
      scope === 'system'
        ? []
        : [{ path: `${scope === 'user' ? home : project}/${FILE}`, version: undefined }],
    choose: ([place = { path: '', version: undefined }]) => place,
    edit(base, _current, { start }) {
      if (base !== undefined) throw new ConfigurationProblem('it is another hook; move it away first');
      return written(ownString(host.hookConfiguration(start), 'command') ?? '');
    },
    strip: (text) => (lineIn(text) === undefined ? text : undefined),
    inspect({ home, project }, files) {
      const found = [...new Set([`${home}/${FILE}`, `${project}/${FILE}`])].flatMap((path) => {
        const text = readBy(path, files, (read) => read) ?? '';
        const line = lineIn(text);
        return line === undefined ? [] : [{ path, text, line }];
      });
      const hooks = found.map(({ path, line }) => ({
        path,
        events: ['PreToolUse'],
        program: programIn(line, host.name) ?? '',
        argv: ['sh', '-c', line],
        env: {},
        timeoutMs: Number(host.timeoutS(undefined)) * 1_000,
        version: undefined,
      }));
      const changed = found
        .filter(({ text, line }) => text !== written(line))
        .map(({ path }) =>
          finding('plugin-changed', `${path} is not the script that policy install writes`, REINSTALL),
        );
      return {
        hooks,
        findings: [
          ...changed,
          ...found
            .filter(({ path }) => files.isInert?.(path) === true)
            .map(({ path }) =>
              finding(
                'hooks-off',
                `${path} may not be started, so Cline passes over it`,
                `run chmod u+x ${path}`,
              ),
            ),
          ...hooks.flatMap((each) => lineFindings(each, host.timeoutS(undefined))),
        ],
      };
    },
    input: (message) => message,
    read: readWords,
  };
}

/** Only a word ends the run; no exit code does. */
function readWords({ stdout }: HookAnswer): TakenAs {
  try {
    const output: Json = JSON.parse(stdout);
    return isJsonObject(output) && own(output, 'cancel') === true ? 'refused' : 'passes';
  } catch {
    return 'passes';
  }
}
