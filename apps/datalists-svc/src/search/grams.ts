import type { Symbols, TextColumn } from './text-column';

/**
 * For each letter and each pair of letters the texts that hold it: as a list of positions while they are few, else as a
 * bitmap. The zero before a text counts as a letter, so that the pair of zero and letter are the texts that begin with it.
 */
export interface Grams {
  /** By bucket. */
  counts: Uint32Array;
  /** By bucket: where its list begins in `lists`, or its bitmap in `bitmaps`. */
  begins: Uint32Array;
  lists: Uint32Array;
  bitmaps: Uint32Array;
  /** Words of a bitmap; a bucket with more texts than this has one. */
  words: number;
  /** Whether no two grams share a bucket, so that a text in it needs no second look. */
  exact: boolean;
  bytes: number;
}

const pairBuckets = 0x10000;
const letterBuckets = 0x1000;

/** With symbols of one byte every pair has a bucket of its own; code units share them. */
export const pairBucket = (first: number, second: number): number =>
  ((first << 8) ^ second) & (pairBuckets - 1);
export const letterBucket = (letter: number): number => pairBuckets + (letter & (letterBuckets - 1));

/** Columns of fewer texts are scanned quicker than their buckets are looked up. */
export const gramsFrom = 10_000;
const slice = 16_384;

/**
 * Two passes over the texts: count, then fill. `pause` is awaited every few milliseconds, so that others are served.
 */
export async function buildGrams(column: TextColumn, pause: () => Promise<void>): Promise<Grams> {
  const count = column.starts.length - 1;
  const words = Math.ceil(count / 32);
  const counts = new Uint32Array(pairBuckets + letterBuckets);
  // Position + 1 of the last text seen by bucket: a text counts once for each of its grams.
  const seen = new Uint32Array(counts.length);
  for (let from = 0; from < count; from += slice) {
    countSlice(column, from, Math.min(count, from + slice), seen, counts);
    await pause();
  }
  const begins = new Uint32Array(counts.length);
  let [listed, bitmaps] = [0, 0];
  for (let bucket = 0; bucket < counts.length; bucket++) {
    if (counts[bucket]! > words) begins[bucket] = words * bitmaps++;
    else {
      begins[bucket] = listed;
      listed += counts[bucket]!;
    }
  }
  const grams: Grams = {
    counts,
    begins,
    lists: new Uint32Array(listed),
    bitmaps: new Uint32Array(words * bitmaps),
    words,
    exact: column.symbols.BYTES_PER_ELEMENT === 1,
    bytes: counts.byteLength + begins.byteLength + 4 * (listed + words * bitmaps),
  };
  const next = begins.slice();
  seen.fill(0);
  for (let from = 0; from < count; from += slice) {
    fillSlice(column, from, Math.min(count, from + slice), seen, next, grams);
    await pause();
  }
  return grams;
}

function countSlice(
  { symbols, starts }: { symbols: Symbols; starts: Uint32Array },
  from: number,
  to: number,
  seen: Uint32Array,
  counts: Uint32Array,
): void {
  for (let position = from; position < to; position++) {
    const end = starts[position + 1]! - 1;
    let last = 0;
    for (let at = starts[position]!; at < end; at++) {
      const letter = symbols[at]!;
      const pair = pairBucket(last, letter);
      if (seen[pair] !== position + 1) {
        seen[pair] = position + 1;
        counts[pair]!++;
      }
      const single = letterBucket(letter);
      if (seen[single] !== position + 1) {
        seen[single] = position + 1;
        counts[single]!++;
      }
      last = letter;
    }
  }
}

function fillSlice(
  { symbols, starts }: { symbols: Symbols; starts: Uint32Array },
  from: number,
  to: number,
  seen: Uint32Array,
  next: Uint32Array,
  { counts, begins, lists, bitmaps, words }: Grams,
): void {
  for (let position = from; position < to; position++) {
    const end = starts[position + 1]! - 1;
    let last = 0;
    for (let at = starts[position]!; at < end; at++) {
      const letter = symbols[at]!;
      for (
        let bucket = pairBucket(last, letter), twice = false;
        ;
        bucket = letterBucket(letter), twice = true
      ) {
        if (seen[bucket] !== position + 1) {
          seen[bucket] = position + 1;
          if (counts[bucket]! > words) bitmaps[begins[bucket]! + (position >>> 5)]! |= 1 << (position & 31);
          else lists[next[bucket]!++] = position;
        }
        if (twice) break;
      }
      last = letter;
    }
  }
}
