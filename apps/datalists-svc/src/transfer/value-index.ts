import { randomInt } from 'node:crypto';

/** Words of a slot: three of the hash and the ordinal, which is one too large so that 0 means empty. */
const words = 4;
const firstCapacity = 1024;

/**
 * Which values were seen before, and where first. It keeps 96 bits of a seeded hash instead of the values, so that a
 * million of them take 32 MiB however long they are; that two different values meet is expected once in 10^16 imports of a
 * million. What is stored is unique by the table's index in any case.
 */
export class ValueIndex {
  private slots = new Uint32Array(words * firstCapacity);
  private used = 0;
  private readonly seeds = [seed(), seed(), seed()] as const;

  /** The ordinal that the value was first noted with; null for a new value, which is noted with this one. */
  note(value: string, ordinal: number): number | null {
    let [a, b, c] = this.seeds;
    for (let at = 0; at < value.length; at++) {
      const code = value.charCodeAt(at);
      a = mixed(a ^ code, 0x9e3779b1);
      b = mixed(b ^ code, 0x85ebca6b);
      c = mixed(c ^ code, 0xc2b2ae35);
    }
    const first = put(this.slots, a >>> 0, b >>> 0, c >>> 0, ordinal + 1);
    if (first !== 0) return first - 1;
    this.used++;
    if (this.used * words * 2 > this.slots.length) this.grow();
    return null;
  }

  private grow(): void {
    const larger = new Uint32Array(this.slots.length * 2);
    const { slots } = this;
    for (let at = 0; at < slots.length; at += words) {
      if (slots[at + 3] !== 0) put(larger, slots[at]!, slots[at + 1]!, slots[at + 2]!, slots[at + 3]!);
    }
    this.slots = larger;
  }
}

/** Linear probing; the mark that an equal hash has already, or 0 after this one was put into the free slot. */
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
