import { isWide, type Grams, type Symbols, type TextColumn } from './text-column';

// Letters with their own bucket, then shared buckets; the same for pairs. Frequent letters often have low
// numbers.
const ownLetters = 0x1000;
const letterBuckets = 2 * ownLetters;
const ownPairs = 0x10000;

export const letterBucket = (letter: number): number =>
  letter < ownLetters ? letter : ownLetters + (letter & (ownLetters - 1));
export const pairBucket = (first: number, second: number): number =>
  (first | second) < 0x100
    ? letterBuckets + ((first << 8) | second)
    : letterBuckets + ownPairs + (((first << 5) ^ second) & (ownPairs - 1));

/** Whether a bucket has only one letter or pair, so that its texts match without a check. */
export const isOwn = (bucket: number): boolean =>
  bucket < ownLetters || (bucket >= letterBuckets && bucket < letterBuckets + ownPairs);

/** Columns with fewer texts are scanned faster than with buckets. */
export const gramsFrom = 10_000;
const slice = 4_096;

/**
 * Two passes over the texts: count, then fill. Awaits `pause` every few milliseconds, to yield to other work.
 */
export async function buildGrams(column: TextColumn, pause: () => Promise<void>): Promise<Grams> {
  const count = column.starts.length - 1;
  const words = Math.ceil(count / 32);
  const buckets = letterBuckets + (isWide(column) ? 2 * ownPairs : ownPairs);
  const counts = new Uint32Array(buckets);
  const listBytes = new Uint32Array(buckets);
  // Position + 1 of the last text per bucket, because a text counts once for each of its grams.
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

/** Visits the grams of all texts by position, with repetitions. */
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
