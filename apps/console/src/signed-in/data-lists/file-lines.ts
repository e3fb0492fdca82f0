/** Lines of a file that stays on this machine. */
export interface FileLines {
  /** Lines around a line, which is counted from 1 as the server counts: CRLF, LF and CR end a line. */
  around(line: number, count: number): Promise<{ line: number; text: string }[]>;
}

/** A place is noted every so many lines. */
const step = 1_000;
/** Bytes that are read at once. The page reacts between two pieces. */
const pieceBytes = 1_048_576;
const maxCharacters = 2_000;

const [lf, cr] = [10, 13];

/**
 * The file is read once, when the first line is asked for, in pieces between which the page reacts.
 *
 * @param encoding as `TextDecoder` names it
 */
export function fileLines(file: File, encoding = 'utf-8'): FileLines {
  let places: Promise<number[]> | null = null;
  return {
    async around(line, count) {
      places ??= indexOf(file, encoding);
      const index = await places;
      const first = Math.max(1, line - count);
      const start = Math.min(Math.floor((first - 1) / step), index.length - 1);
      const end = Math.floor((line + count) / step) + 1;
      const text = new TextDecoder(encoding).decode(await file.slice(index[start], index[end]).arrayBuffer());
      const lines = text.split(/\r\n|\n|\r/);
      const from = first - 1 - start * step;
      return lines
        .slice(from, from + 2 * count + 1 - (first - (line - count)))
        .map((own, n) => ({ line: first + n, text: own.slice(0, maxCharacters) }));
    },
  };
}

/** Byte offsets of the lines 1, 1001, 2001, …. */
async function indexOf(file: File, encoding: string): Promise<number[]> {
  const places = [0];
  const width = encoding.startsWith('utf-16') ? 2 : 1;
  let lines = 0;
  let isAfterCr = false;
  // Pieces of a stream come in one task as long as the file is read ahead: the page would not react.
  for (let offset = 0; offset < file.size; offset += pieceBytes) {
    const piece = new DataView(await file.slice(offset, offset + pieceBytes).arrayBuffer());
    for (let at = 0; at + width <= piece.byteLength; at += width) {
      const unit = width === 1 ? piece.getUint8(at) : piece.getUint16(at, encoding === 'utf-16le');
      const next = offset + at + width;
      if (unit === lf && isAfterCr) {
        // The line ended with the CR before it; the next one begins here.
        if (lines % step === 0) places[places.length - 1] = next;
      } else if (unit === lf || unit === cr) {
        lines++;
        if (lines % step === 0) places.push(next);
      }
      isAfterCr = unit === cr;
    }
  }
  return places;
}

/** The text of a line of CSV before a cell, of the cell and behind it. Cells are counted from 1. */
export function partsAtCell(text: string, cell: number, separator: string): [string, string, string] {
  // A separator inside quotes does not end a cell.
  const pattern = new RegExp(`("(?:[^"]|"")*"?[^${separator}]*|[^${separator}]*)([${separator}]|$)`, 'g');
  const found = [...text.matchAll(pattern)];
  const before = found
    .slice(0, cell - 1)
    .map(([whole]) => whole)
    .join('');
  const own = found[cell - 1]?.[1] ?? '';
  return [before, own, text.slice(before.length + own.length)];
}

const kept = new Map<string, File>();

/** Keeps the file of an import until the page is closed. */
export function keepFile(importId: string, file: File): void {
  kept.clear(); // one is enough
  kept.set(importId, file);
}

export const keptFile = (importId: string): File | null => kept.get(importId) ?? null;
