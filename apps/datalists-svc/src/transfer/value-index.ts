import { randomInt } from 'node:crypto';

/** Words per slot: three of the hash, and the ordinal plus 1, because 0 means empty. */
const words = 4;
const slotsOfPage = 4096;
const maxUsed = 0.75 * slotsOfPage;

/** The values whose hashes end with the same `depth` bits. */
interface Page {
  slots: Uint32Array;
  used: number;
  depth: number;
}

/**
 * The values seen so far and their first ordinals. It stores 96 bits of a seeded hash instead of the value,
 * so a million values take about 30 MB whatever their length. A collision is expected once in 10^16 imports
 * of a million values. The unique index of the table checks stored values in any case.
 *
 * Extendible hashing: a full page is split in two, and allocated memory is never released.
 */
export class ValueIndex {
  /** Pages by the last bits of a hash; several entries may be the same page. */
  private pages: Page[] = [{ slots: new Uint32Array(words * slotsOfPage), used: 0, depth: 0 }];
  private readonly split = new Uint32Array(words * slotsOfPage);
  private readonly seeds = [seed(), seed(), seed()] as const;

  /** The ordinal of the first occurrence; null for a new value, which is stored with this one. */
  note(value: string, ordinal: number): number | null {
    let [a, b, c] = this.seeds;
    for (let at = 0; at < value.length; at++) {
      const code = value.charCodeAt(at);
      a = mixed(a ^ code, 0x9e3779b1);
      b = mixed(b ^ code, 0x85ebca6b);
      c = mixed(c ^ code, 0xc2b2ae35);
    }
    const page = this.pages[b & (this.pages.length - 1)]!;
    const first = put(page.slots, a >>> 0, b >>> 0, c >>> 0, ordinal + 1);
    if (first !== 0) return first - 1;
    if (++page.used > maxUsed) this.splitPage(page, b);
    return null;
  }

  private splitPage(page: Page, hash: number): void {
    if (2 ** page.depth === this.pages.length) this.pages = [...this.pages, ...this.pages];
    const bit = 1 << page.depth++;
    const other: Page = { slots: new Uint32Array(words * slotsOfPage), used: 0, depth: page.depth };
    const { split } = this;
    split.set(page.slots);
    page.slots.fill(0);
    page.used = 0;
    for (let at = 0; at < split.length; at += words) {
      if (split[at + 3] === 0) continue;
      const into = (split[at + 1]! & bit) === 0 ? page : other;
      put(into.slots, split[at]!, split[at + 1]!, split[at + 2]!, split[at + 3]!);
      into.used++;
    }
    for (let at = (hash & (bit - 1)) | bit; at < this.pages.length; at += 2 * bit) this.pages[at] = other;
  }
}

/** Linear probing. Returns the mark of an equal hash, or 0 after storing this one in a free slot. */
function put(slots: Uint32Array, a: number, b: number, c: number, mark: number): number {
  const capacity = slots.length / words;
  for (let slot = a & (capacity - 1); ; slot = (slot + 1) & (capacity - 1)) {
    const at = slot * words;
    const found = slots[at + 3]!;
    if (found === 0) {
      slots[at] = a;
      slots[at + 1] = b;
      slots[at + 2] = c;
      slots[at + 3] = mark;
      return 0;
    }
    if (slots[at] === a && slots[at + 1] === b && slots[at + 2] === c) return found;
  }
}

function mixed(word: number, factor: number): number {
  const product = Math.imul(word, factor);
  return product ^ (product >>> 15);
}

const seed = (): number => randomInt(2 ** 32);
