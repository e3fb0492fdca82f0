/** A line of a comparison; `same` stands for as many lines as `count` says. */
export type DiffLine = { kind: 'removed' | 'added' | 'near'; text: string } | { kind: 'same'; count: number };

/** Unchanged lines that are shown before and after a change. */
const around = 2;
/** Cells of the table of the comparison. More would take too long while one types. */
const maxCells = 4_000_000;

/** Finds which lines differ between two texts. Null: too many differ to compare them. */
export function diffLines(before: string, after: string): DiffLine[] | null {
  const [one, other] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const middle = longestCommon(one.slice(start, one.length - end), other.slice(start, other.length - end));
  if (middle === null) return null;
  const near = (texts: string[]): DiffLine[] => texts.map((text) => ({ kind: 'near', text }));
  return folded([...near(one.slice(0, start)), ...middle, ...near(one.slice(one.length - end))]);
}

/** All lines of two texts in order, by their longest common subsequence. */
function longestCommon(one: string[], other: string[]): DiffLine[] | null {
  const width = other.length + 1;
  if ((one.length + 1) * width > maxCells) return null;
  // Lengths of the longest common subsequences of the rests.
  const lengths = new Uint32Array((one.length + 1) * width);
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        one[row] === other[column]
          ? lengths[(row + 1) * width + column + 1]! + 1
          : Math.max(lengths[(row + 1) * width + column]!, lengths[row * width + column + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < one.length || column < other.length) {
    if (row < one.length && column < other.length && one[row] === other[column]) {
      lines.push({ kind: 'near', text: one[row]! });
      row += 1;
      column += 1;
    } else if (
      column === other.length ||
      (row < one.length && lengths[(row + 1) * width + column]! >= lengths[row * width + column + 1]!)
    ) {
      lines.push({ kind: 'removed', text: one[row]! });
      row += 1;
    } else {
      lines.push({ kind: 'added', text: other[column]! });
      column += 1;
    }
  }
  return lines;
}

/** Leaves out unchanged lines that are far from each change. */
function folded(lines: readonly DiffLine[]): DiffLine[] {
  const isShown = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind === 'removed' || kind === 'added')
      isShown.fill(1, Math.max(0, index - around), index + around + 1);
  });
  const result: DiffLine[] = [];
  lines.forEach((line, index) => {
    const last = result.at(-1);
    if (isShown[index] === 1) result.push(line);
    else if (last?.kind === 'same') last.count += 1;
    else result.push({ kind: 'same', count: 1 });
  });
  return result;
}
