import type { Fix } from '../../../model/diagnostic.ts';

/** The text with the edits of as many fixes as do not get into each other's way. */
export function withFixes(
  text: string,
  fixes: readonly Fix[],
): { readonly text: string; readonly count: number } {
  const taken: Edit[] = [];
  let count = 0;
  for (const { edits } of fixes) {
    // An edit that another fix makes already is done.
    const isDone = edits.every((edit) => taken.some((other) => isSame(edit, other)));
    const isFree = edits.every((edit) =>
      taken.every(({ start, end }) => edit.end <= start || edit.start >= end),
    );
    if (!isDone && !isFree) continue;
    if (!isDone) taken.push(...edits);
    count += 1;
  }
  let result = text;
  for (const edit of taken.sort((a, b) => b.start - a.start)) {
    result = result.slice(0, edit.start) + edit.text + result.slice(edit.end);
  }
  return { text: result, count };
}

type Edit = Fix['edits'][number];

function isSame(a: Edit, b: Edit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}
