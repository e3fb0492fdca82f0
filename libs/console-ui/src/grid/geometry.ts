/** A browser ends the scroll range of an element at about 33 million pixels, some earlier. */
const maxRange = 10_000_000;
/** Rows and columns beyond the visible ones, so that nothing is blank while one scrolls. */
const spareRows = 8;
const spareColumns = 2;

export interface RowWindow {
  /** Length of the scroll range in pixels. */
  range: number;
  /** First position that is rendered. */
  from: number;
  /** The position after the last one. */
  to: number;
  /** Distance of a row from the start of the range, in pixels. */
  topOf(position: number): number;
}

export interface Viewport {
  /** Pixels that are scrolled out at the start. */
  scrolled: number;
  /** Visible pixels. */
  visible: number;
}

/**
 * The rows of a list that are rendered. A list that is longer than the range of a browser is scaled: the
 * scrollbar still reaches its last row.
 */
export function rowWindow(count: number, height: number, { scrolled, visible }: Viewport): RowWindow {
  const length = count * height;
  const range = Math.min(length, maxRange);
  const scale = scaleOf(length, visible);
  const first = (scrolled * scale) / height;
  return {
    range,
    from: Math.max(0, Math.floor(first) - spareRows),
    to: Math.min(count, Math.ceil(first + visible / height) + spareRows),
    // Without a scale it is exact, so that scrolling changes nothing of a row.
    topOf: (position) => (scale === 1 ? position * height : scrolled + (position - first) * height),
  };
}

/** The place to scroll to so that a row is visible; the present place if it is. */
export function scrollTo(
  position: number,
  count: number,
  height: number,
  { scrolled, visible }: Viewport,
): number {
  const scale = scaleOf(count * height, visible);
  const start = (position * height) / scale;
  const end = Math.max(0, (position + 1) * height - visible) / scale;
  if (scrolled > start) return start;
  return scrolled < end ? end : scrolled;
}

/** Pixels of the list for each pixel of the scroll range. */
function scaleOf(length: number, visible: number): number {
  if (length <= maxRange) return 1;
  return (length - visible) / (maxRange - visible);
}

export interface ColumnWindow {
  /** Index of the first column that is rendered. */
  from: number;
  /** The index after the last one. */
  to: number;
}

/**
 * The columns that are rendered, of those that scroll.
 *
 * @param pinned pixels that the pinned columns take of the visible ones
 */
export function columnWindow(
  widths: readonly number[],
  pinned: number,
  { scrolled, visible }: Viewport,
): ColumnWindow {
  const end = scrolled + Math.max(0, visible - pinned);
  let from = 0;
  let place = 0;
  while (from < widths.length - 1 && place + widths[from]! <= scrolled) place += widths[from++]!;
  let to = from;
  let reached = place;
  while (to < widths.length && reached < end) reached += widths[to++]!;
  from = Math.max(0, from - spareColumns);
  to = Math.min(widths.length, to + spareColumns);
  return { from, to };
}

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
