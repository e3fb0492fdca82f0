/** A seeded generator of pseudo-random numbers: the same seed gives the same sequence. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer, both ends included. */
  between(low: number, high: number): number;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
  /** True with this probability. */
  chance(probability: number): boolean;
}

/** The generator "mulberry32", started from a text. */
export function createRandom(seed: string): Random {
  let state = 2_166_136_261;
  for (const char of seed) state = Math.imul(state ^ char.codePointAt(0)!, 16_777_619);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)]!,
    shuffled(items) {
      const order = [...items];
      for (let last = order.length - 1; last > 0; last--) {
        const other = between(0, last);
        [order[last], order[other]] = [order[other]!, order[last]!];
      }
      return order;
    },
    chance: (probability) => next() < probability,
  };
}
