import { type KeyAnalysis, USUAL } from '../key-analysis.ts';
import { alternativesIn, exactNames, tokensOfAll } from '../types/alternatives.ts';
import { COMMANDS, programsIn } from '../types/commands.ts';
import { command as matcher } from './match.ts';

export const command: KeyAnalysis = {
  ...USUAL,
  ...COMMANDS,
  unknownCause: 'the command cannot be read in full',
  tokens: (spec) =>
    tokensOfAll(alternativesIn(spec), (test) => {
      const names = programsIn(test);
      return names === undefined ? undefined : exactNames(names, 'run');
    }),
  // By the tool it is known whether there is a command.
  outline: matcher.compile,
};
