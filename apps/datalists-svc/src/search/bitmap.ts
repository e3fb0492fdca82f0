/** How many bits are set. */
export function countBits(bitmap: Uint32Array): number {
  let total = 0;
  for (const word of bitmap) {
    let bits = word - ((word >>> 1) & 0x55555555);
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    total += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return total;
}

/** Visits the positions of the bits of one word of a bitmap, in order. */
export function eachBit(bits: number, word: number, visit: (position: number) => void): void {
  for (let left = bits; left !== 0; left &= left - 1) visit(word * 32 + (31 - Math.clz32(left & -left)));
}
