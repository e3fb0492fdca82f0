import { countBits, eachBit } from './bitmap';
import type { Matches } from './matches';
import type { Slices } from '../slices';

/** The display order of the items of a version: by label under a collation, then by value. */
export interface ItemOrder {
  /** By rank. */
  positionAt: Uint32Array;
  /** By position. */
  rankOf: Uint32Array;
}

/**
 * @param pieces the positions by rank, four bytes each, big-endian; pieces hold whole positions
 * @throws {Error} if they are not those of `count` items
 */
export async function itemOrder(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  count: number,
): Promise<ItemOrder> {
  const order = { positionAt: new Uint32Array(count), rankOf: new Uint32Array(count) };
  let rank = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += 4, rank++) {
      const position = piece.readUInt32BE(at);
      order.positionAt[rank] = position;
      order.rankOf[position] = rank;
    }
  }
  if (rank !== count) throw new Error(`${rank} positions instead of ${count}`);
  return order;
}

export interface Window {
  limit: number;
  offset: number;
}

/** Fewer matches are sorted. More are found by walking along the order. */
const sortedUpTo = 4096;

/** The number of matches and the requested page of positions: best grade first, then in display order. */
export async function windowOf(
  { atLeast: [contains, prefix, exact] }: Matches,
  order: ItemOrder,
  { limit, offset }: Window,
  slices: Slices,
): Promise<{ total: number; positions: Uint32Array }> {
  const [total, wellEnough, best] = [countBits(contains), countBits(prefix), countBits(exact)];
  const window: number[] = [];
  const end = Math.min(offset + limit, total);
  /** Appends the part of the page within one grade, which has the places `from` to `to`. */
  const append = async (of: Uint32Array, but: Uint32Array | null, from: number, to: number) => {
    const [first, last] = [Math.max(offset, from) - from, Math.min(end, to) - from];
    if (first >= last) return;
    const take = to - from > sortedUpTo ? passing : sorting;
    await take({ of, but, matches: to - from, order, first, last, window, slices });
  };
  await append(exact, null, 0, best);
  await append(prefix, exact, best, wellEnough);
  await append(contains, prefix, wellEnough, total);
  return { total, positions: Uint32Array.from(window) };
}

interface Taking {
  /** The matches of a grade are in `of` but not in `but`. */
  of: Uint32Array;
  but: Uint32Array | null;
  matches: number;
  order: ItemOrder;
  /** Places among them, in order. */
  first: number;
  last: number;
  window: number[];
  slices: Slices;
}

async function sorting({ of, but, matches, order, first, last, window, slices }: Taking): Promise<void> {
  const ranks = new Uint32Array(matches);
  let found = 0;
  for (let word = 0; word < of.length; word++) {
    const bits = of[word]! & ~(but?.[word] ?? 0);
    if (bits !== 0) eachBit(bits, word, (position) => (ranks[found++] = order.rankOf[position]!));
    if (slices.isOver()) await slices.pause();
  }
  for (const rank of ranks.sort().subarray(first, last)) window.push(order.positionAt[rank]!);
}

/** Ranks between two checks of the clock. */
const passedAtOnce = 16_384;

async function passing(taking: Taking): Promise<void> {
  const { last, slices } = taking;
  for (let [rank, place] = [0, 0]; place < last; rank += passedAtOnce) {
    place = pass(taking, rank, place);
    if (slices.isOver(passedAtOnce)) await slices.pause();
  }
}

/** Appends the matches within some ranks and returns the place of the next one. */
function pass({ of, but, order, first, last, window }: Taking, from: number, placeBefore: number): number {
  const { positionAt } = order;
  const end = Math.min(from + passedAtOnce, positionAt.length);
  let place = placeBefore;
  for (let rank = from; rank < end && place < last; rank++) {
    const position = positionAt[rank]!;
    const word = position >>> 5;
    if (((of[word]! >>> (position & 31)) & 1) === 0) continue;
    if (but !== null && (but[word]! >>> (position & 31)) & 1) continue;
    if (place >= first) window.push(position);
    place++;
  }
  return place;
}
