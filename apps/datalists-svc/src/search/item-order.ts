import { grades, type Matches } from './matches';

/** The order in which the items of a version are shown: by label under a collation, then by value. */
export interface ItemOrder {
  /** By rank. */
  positionAt: Uint32Array;
  /** By position. */
  rankOf: Uint32Array;
}

/**
 * @param positions by rank, four bytes each, big-endian
 * @throws {Error} when they are not those of `count` items
 */
export function itemOrder(positions: Buffer, count: number): ItemOrder {
  if (positions.length !== 4 * count)
    throw new Error(`${positions.length / 4} positions instead of ${count}`);
  const order = { positionAt: new Uint32Array(count), rankOf: new Uint32Array(count) };
  for (let rank = 0; rank < count; rank++) {
    const position = positions.readUInt32BE(rank * 4);
    order.positionAt[rank] = position;
    order.rankOf[position] = rank;
  }
  return order;
}

export interface Window {
  limit: number;
  offset: number;
}

/** Fewer matches are sorted; more are met in passing along the order. */
const sortedUpTo = 4096;
/** Larger than any rank. */
const gradeStep = 2 ** 32;

/** The window's positions of all matches: best grade first, within a grade in order. */
export function windowOf(matches: Matches, order: ItemOrder, { limit, offset }: Window): Uint32Array {
  const { positions, grade } = matches;
  if (positions.length <= offset) return new Uint32Array(0);
  if (positions.length > sortedUpTo) return passAlong(matches, order, { limit, offset });
  const keys = Float64Array.from(
    positions,
    (position) => (grades.exact - grade[position]!) * gradeStep + order.rankOf[position]!,
  ).sort();
  return Uint32Array.from(keys.subarray(offset, offset + limit), (key) => order.positionAt[key % gradeStep]!);
}

function passAlong(
  { positions, grade }: Matches,
  { positionAt }: ItemOrder,
  { limit, offset }: Window,
): Uint32Array {
  const counts = [0, 0, 0, 0];
  for (const position of positions) counts[grade[position]!]!++;
  // By grade: how many matches of better grades there are, which is the place of its first one.
  const next = [0, counts[3]! + counts[2]!, counts[3]!, 0];
  const end = Math.min(offset + limit, positions.length);
  const window = new Uint32Array(end - offset);
  let missing = window.length;
  for (let rank = 0; missing > 0; rank++) {
    const position = positionAt[rank]!;
    const place = grade[position] === grades.none ? -1 : next[grade[position]!]!++;
    if (place >= offset && place < end) {
      window[place - offset] = position;
      missing--;
    }
  }
  return window;
}
