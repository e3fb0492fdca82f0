import { isWide, type Symbols, type TextColumn } from './text-column';

/**
 * For each letter and each pair of letters the texts that hold it: as a list of positions while they are few, else as a
 * bitmap. The zero before a text counts as a letter, so that the pair of zero and letter are the texts that begin with it.
 */
export interface Grams {
  /** By bucket: how many texts. */
  counts: Uint32Array;
  /** By bucket: where its list begins in `lists`, or its bitmap in `bitmaps`. */
  begins: Uint32Array;
  /**
   * Of each position how far it is behind the one before it in its list, the first one from -1: seven bits a byte, the
   * least first, the eighth says that more follow.
   */
  lists: Uint8Array;
  bitmaps: Uint32Array;
  /** Words of a bitmap; a bucket with more texts than this has one. */
  words: number;
  bytes: number;
}

// Letters with a bucket of their own, then shared ones; the same for pairs. What a list has often has a low number.
const ownLetters = 0x1000;
const letterBuckets = 2 * ownLetters;
const ownPairs = 0x10000;

export const letterBucket = (letter: number): number =>
  letter < ownLetters ? letter : ownLetters + (letter & (ownLetters - 1));
export const pairBucket = (first: number, second: number): number =>
  (first | second) < 0x100
    ? letterBuckets + ((first << 8) | second)
    : letterBuckets + ownPairs + (((first << 5) ^ second) & (ownPairs - 1));

/** Whether a bucket is of one letter or pair only, so that a text in it needs no second look. */
export const isOwn = (bucket: number): boolean =>
  bucket < ownLetters || (bucket >= letterBuckets && bucket < letterBuckets + ownPairs);

/** Columns of fewer texts are scanned quicker than their buckets are looked up. */
export const gramsFrom = 10_000;
const slice = 4_096;

/**
 * Two passes over the texts: count, then fill. `pause` is awaited every few milliseconds, so that others are served.
 */
export async function buildGrams(column: TextColumn, pause: () => Promise<void>): Promise<Grams> {
  const count = column.starts.length - 1;
  const words = Math.ceil(count / 32);
  const buckets = letterBuckets + (isWide(column) ? 2 * ownPairs : ownPairs);
  const counts = new Uint32Array(buckets);
  const listBytes = new Uint32Array(buckets);
  // Position + 1 of the last text seen by bucket: a text counts once for each of its grams.
  const seen = new Uint32Array(buckets);
  await eachGram(column, pause, (bucket, position) => {
    const gap = position + 1 - seen[bucket]!;
    if (gap === 0) return;
    seen[bucket] = position + 1;
    counts[bucket]!++;
    listBytes[bucket]! += gap < 0x80 ? 1 : gap < 0x4000 ? 2 : gap < 0x200000 ? 3 : 4;
  });
  const begins = new Uint32Array(buckets);
  let [listed, bitmapped] = [0, 0];
  for (let bucket = 0; bucket < buckets; bucket++) {
    if (counts[bucket]! > words) begins[bucket] = words * bitmapped++;
    else {
      begins[bucket] = listed;
      listed += listBytes[bucket]!;
    }
  }
  const lists = new Uint8Array(listed);
  const bitmaps = new Uint32Array(words * bitmapped);
  const next = begins.slice();
  seen.fill(0);
  await eachGram(column, pause, (bucket, position) => {
    let gap = position + 1 - seen[bucket]!;
    if (gap === 0) return;
    seen[bucket] = position + 1;
    if (counts[bucket]! > words) {
      bitmaps[begins[bucket]! + (position >>> 5)]! |= 1 << (position & 31);
      return;
    }
    for (; gap >= 0x80; gap >>>= 7) lists[next[bucket]!++] = (gap & 0x7f) | 0x80;
    lists[next[bucket]!++] = gap;
  });
  const bytes = counts.byteLength + begins.byteLength + lists.byteLength + bitmaps.byteLength;
  return { counts, begins, lists, bitmaps, words, bytes };
}

/** Visits the grams of all texts, in order of position; of a text each as often as it holds it. */
async function eachGram(
  column: TextColumn,
  pause: () => Promise<void>,
  visit: (bucket: number, position: number) => void,
): Promise<void> {
  const count = column.starts.length - 1;
  for (let from = 0; from < count; from += slice) {
    visitSlice(column, from, Math.min(count, from + slice), visit);
    await pause();
  }
}

function visitSlice(
  { symbols, starts }: { symbols: Symbols; starts: Uint32Array },
  from: number,
  to: number,
  visit: (bucket: number, position: number) => void,
): void {
  for (let position = from; position < to; position++) {
    const end = starts[position + 1]! - 1;
    let last = 0;
    for (let at = starts[position]!; at < end; at++) {
      const letter = symbols[at]!;
      visit(pairBucket(last, letter), position);
      visit(letterBucket(letter), position);
      last = letter;
    }
  }
}
