/** A source of numbers that is the same for the same seeds: mulberry32. */
export class Random {
  #state: number;

  constructor(...seeds: readonly number[]) {
    this.#state = 0;
    for (const seed of seeds) this.#state = (Math.imul(this.#state ^ seed, 0x9e3779b1) + seed) | 0;
  }

  /** An integer from 0 on, less than `below`. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  pick<T>(among: readonly T[]): T {
    const picked = among[this.below(among.length)];
    if (picked === undefined) throw new Error('Cannot pick from nothing');
    return picked;
  }
}
