import { VARIABLES, type Variable, valueIn } from '../../support/hostile-environment.ts';
import type { Scene } from '../real-host.ts';
import { type Play, play, ran } from './play.ts';

/** A call of no shell, which the same variables would break as well. */
const FORBIDDEN = { call: 'write_file', args: { file_path: 'made', content: 'forbidden' } } as const;
const NOT_RUN = 'the tool did not run';
const RAN = 'the tool RAN';

/** Where Gemini CLI looks for variables, the first that is there. */
const FILES = ['project/.gemini/.env', 'project/.env', 'home/.gemini/.env', 'home/.env'];

/** What comes of a forbidden call where a variable is set for Gemini CLI, or in a file that it loads. */
export async function* environments(program: string): AsyncIterable<Scene> {
  const forbidden: Play = { program, call: FORBIDDEN };
  yield {
    name: 'a forbidden call without a policy against it, to see that it would run',
    expected: RAN,
    seen: await play({ ...forbidden, policies: 'version: 1\ndefaults: {mode: enforce}\n' }, ran('made')),
  };
  for (const variable of VARIABLES) {
    const env = (home: string) => ({ [variable.name]: valueIn(home, variable) });
    yield {
      name: `${shown(variable)} in the environment`,
      expected: inEnvironment(variable),
      seen: await play({ ...forbidden, env }, ran('made')),
    };
  }
  for (const variable of VARIABLES.filter(({ name }) => /^\w+$/.test(name))) {
    yield {
      name: `${shown(variable)} in .env`,
      expected: variable.name === 'LD_TRACE_LOADED_OBJECTS' ? RAN : NOT_RUN,
      seen: await play({ ...forbidden, files: inFile('project/.env', variable) }, ran('made')),
    };
  }
  yield* otherFiles(forbidden);
}

/** The loader of the system lists the libraries of Gemini CLI itself and starts nothing. */
function inEnvironment({ name }: Variable): string {
  return name === 'LD_TRACE_LOADED_OBJECTS' ? 'no request went to the model' : NOT_RUN;
}

async function* otherFiles(forbidden: Play): AsyncIterable<Scene> {
  const traced = { name: 'LD_TRACE_LOADED_OBJECTS', value: '1' };
  const left = { name: 'BASH_ENV', value: './leave.sh' };
  for (const file of FILES) {
    yield {
      name: `BASH_ENV in ${file}`,
      expected: NOT_RUN,
      seen: await play({ ...forbidden, files: inFile(file, left) }, ran('made')),
    };
    yield {
      name: `BASH_ENV in ${file}, where the hook has no env of its own`,
      expected: RAN,
      seen: await play({ ...forbidden, files: inFile(file, left), hook: { env: {} } }, ran('made')),
    };
  }
  const ignoring = { ...forbidden, settings: { advanced: { ignoreLocalEnv: true } } };
  yield {
    name: 'LD_TRACE_LOADED_OBJECTS in .env, with ignoreLocalEnv',
    expected: NOT_RUN,
    seen: await play({ ...ignoring, files: inFile('project/.env', traced) }, ran('made')),
  };
  yield {
    name: 'LD_TRACE_LOADED_OBJECTS in .gemini/.env, with ignoreLocalEnv',
    expected: RAN,
    seen: await play({ ...ignoring, files: inFile('project/.gemini/.env', traced) }, ran('made')),
  };
  for (const name of ['HOME', 'GEMINI_CLI_HOME', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH']) {
    yield {
      name: `${name} in .env`,
      expected: NOT_RUN,
      seen: await play(
        { ...forbidden, files: inFile('project/.env', { name, value: './elsewhere' }) },
        ran('made'),
      ),
    };
  }
  yield {
    name: 'LD_SHOW_AUXV in .env, which prints before the answer',
    expected: NOT_RUN,
    seen: await play(
      { ...forbidden, files: inFile('project/.env', { name: 'LD_SHOW_AUXV', value: '1' }) },
      ran('made'),
    ),
  };
}

function inFile(file: string, variable: Variable): (home: string) => Readonly<Record<string, string>> {
  return (home) => ({ [file]: `${variable.name}='${valueIn(home, variable)}'\n` });
}

function shown({ name, value }: Variable): string {
  return name === 'PATH' ? 'PATH=./fake:$PATH' : `${name}=${value}`;
}
