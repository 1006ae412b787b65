import type { Facts } from '../../../model/facts.ts';

/** The same facts but for some: values from memory are still looked up only when they are asked for. */
export function changedFacts(
  facts: Facts,
  changes: Pick<Facts, 'surroundings' | 'file'> & Partial<Pick<Facts, 'event' | 'history'>>,
): Facts {
  return {
    event: facts.event,
    programs: facts.programs,
    history: facts.history,
    get model() {
      return facts.model;
    },
    get newTexts() {
      return facts.newTexts;
    },
    ...changes,
  };
}
