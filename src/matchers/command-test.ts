import type { Surroundings } from '../model/surroundings.ts';
import type { Truth } from '../model/truth.ts';
import type { ReadCommand, Reading } from '../reading/reading.ts';

/** Judges one command of a reading. */
export type CommandTest = (command: ReadCommand, reading: Reading, surroundings: Surroundings) => Truth;
