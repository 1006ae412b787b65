import type { Assignment as SyntaxAssignment, Command as SyntaxCommand } from 'unbash';
import { parseArguments } from './arguments.ts';
import { noteExhausted, noteGap, takeStep } from './bounds.ts';
import { type Choices, MAX_COMBINATIONS, newChoices, nextChoice } from './choices.ts';
import { addMentions, addTableEffects } from './effects.ts';
import { expandArgument, expandWhole } from './expand.ts';
import type { Expansion } from './expansion.ts';
import { programSpec } from './knowledge/registry.ts';
import type { ProgramSpec } from './knowledge/program-spec.ts';
import { specAt } from './knowledge/spec-at.ts';
import { programName } from './program-name.ts';
import { programReader } from './programs/registry.ts';
import type { Assignment } from './reading.ts';
import { addRedirectionEffects, type Redirected, readRedirections } from './redirections.ts';
import { addRemoteCode, runFile } from './run-file.ts';
import {
  aliasOf,
  boundedWord,
  cwdOf,
  fileContent,
  functionOf,
  newScope,
  type ShellFunction,
  setLocal,
  setPositional,
  setVariable,
  single,
  variableOf,
  writeFile,
} from './scope.ts';
import { type Source, spanIn } from './source.ts';
import { processSubstitution, substitute } from './substitution.ts';
import type { Arg, Call, CommandExtras, Draft, Place, Walker } from './walker.ts';
import { EMPTY_WORD, joinWords, knownText, originsOf, showWord, unknownWord, type Word } from './word.ts';
