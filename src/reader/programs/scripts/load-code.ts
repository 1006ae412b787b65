/** Loads the readers of other languages: a large part of the reading, and few commands have any. */
export function loadReadCode(): typeof import('./read-code.ts') {
  return require('./read-code.ts') as typeof import('./read-code.ts');
}
