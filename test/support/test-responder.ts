import { createResponder, type Responder } from '../../src/hook/responder.ts';
import type { ResponderOptions } from '../../src/hook/responder-options.ts';
import { NO_SURROUNDINGS } from '../../src/model/surroundings.ts';
import { testMemory } from './builders.ts';

/** A responder for policies that run no program, in `/work` unless told. */
export function testResponder(
  parts: Partial<ResponderOptions> & Pick<ResponderOptions, 'host' | 'policies'>,
): Responder {
  return createResponder({
    setting: { version: undefined, env: {}, cwd: '/work', interactive: false },
    surroundings: () => NO_SURROUNDINGS,
    memory: testMemory(),
    nowUs: () => 0,
    nowMs: Date.now,
    limit: () => () => false,
    runTool: () => Promise.reject(new Error('no policy here runs a program')),
    keepInput: false,
    ...parts,
  });
}
