/** The same items in an order that follows from the seed, the same every time. */
export function shuffle<T>(items: readonly T[], seed: number): readonly T[] {
  const shuffled = [...items];
  // Small seeds are alike in their upper bits, which are the ones that count below.
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  for (let last = shuffled.length - 1; last > 0; last--) {
    // A linear congruential step, with the constants of Numerical Recipes; its upper bits are good enough to mix a list.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (last + 1));
    const item = shuffled[last];
    const moved = shuffled[other];
    if (item === undefined || moved === undefined) continue;
    shuffled[last] = moved;
    shuffled[other] = item;
  }
  return shuffled;
}
