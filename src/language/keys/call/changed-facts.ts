import type { Facts } from '../../../model/facts.ts';

/** The same facts but for some: what memory adds is still looked up only when it is asked for. */
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
