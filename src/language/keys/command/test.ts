import type { OnMiss } from '../../../model/miss.ts';
import type { Surroundings } from '../../../model/surroundings.ts';
import type { Truth } from '../../../model/truth.ts';
import type { ReadCommand, Reading } from '../../../reader/reading/reading.ts';

/**
 * Judges one command of a reading.
 *
 * @param missed receives the parts of the test that did not hold, if it has parts
 */
export type CommandTest = (
  command: ReadCommand,
  reading: Reading,
  surroundings: Surroundings,
  missed?: OnMiss,
) => Truth;
