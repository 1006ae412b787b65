import { asObject, own, ownString, parseJson } from '../../lib/json.ts';
import { ConfigurationProblem } from '../configuration-problem.ts';
import type { Host } from '../host.ts';
import {
  finding,
  type Installation,
  lineFindings,
  programIn,
  REINSTALL,
  readBy,
  shellHook,
} from '../installation.ts';

const FILE = '.cline/hooks/PreToolUse.sh';
const HEAD = '#!/bin/sh\n# Asks policy about each call. Written by policy install.\n';

/** The hook of Cline about calls: a script that is called like its event. */
export function installationFor(host: Host): Installation {
  const lineIn = (text: string) => text.split('\n').find((line) => programIn(line, host.name) !== undefined);
  const written = (line: string) => `${HEAD}${line}\n`;
  return {
    programs: ['cline'],
    release: { newest: '3.0.65' },
    folder: ({ home }) => `${home}/.cline`,
    guarding: ['before_tool'],
    places: (scope, { home, project }) =>
      scope === 'system' ? [] : [`${scope === 'user' ? home : project}/${FILE}`],
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
      const timeoutMs = host.timeoutS(undefined) * 1_000;
      const hooks = found.map(({ path, line }) =>
        shellHook(host.name, line, { path, events: ['PreToolUse'], timeoutMs }),
      );
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
    // Only a word ends the run; no exit code does.
    read: ({ stdout }) => (own(asObject(parseJson(stdout)), 'cancel') === true ? 'refused' : 'passes'),
  };
}
