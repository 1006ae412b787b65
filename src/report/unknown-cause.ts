import type { Miss } from '../model/miss.ts';

/** Why a key could not be told, by key. */
const CAUSES: Readonly<Record<string, string>> = {
  model_prefix: 'nobody has said the model',
  context: 'the host does not say it',
  event: "the host's event does not have it",
  arguments: 'the arguments cannot be read in full',
  arguments_match: 'the arguments cannot be read',
  arguments_violate: 'the arguments cannot be read',
  command: 'the command cannot be read in full',
  path: 'a path cannot be read in full',
  url: 'a URL cannot be read in full',
  content: 'the text is too long for the pattern',
};

/** In words why a key of a policy said unknown. */
export function unknownCause(miss: Miss | undefined): string {
  const key = miss?.path[0];
  if (key === undefined) return 'a key cannot be told';
  return `${key}: ${CAUSES[key] ?? 'it cannot be told'}`;
}
