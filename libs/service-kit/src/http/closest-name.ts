/**
 * Finds the known name that `name` probably misspells, ignoring case. At most a third of the characters may
 * be added, missing, different or swapped with a neighbour. Undefined if no name is that close.
 */
export function closestName(name: string, known: readonly string[]): string | undefined {
  let closest: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const longer = Math.max(name.length, candidate.length);
    const maxDistance = Math.floor(longer / 3);
    if (Math.abs(name.length - candidate.length) > maxDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= maxDistance && distance < least) [closest, least] = [candidate, distance];
  }
  return closest;
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (row > 1 && column > 1 && swapped) least = Math.min(least, before[column - 2]! + 1);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return last[b.length]!;
}
