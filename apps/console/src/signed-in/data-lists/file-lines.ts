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

/** The file is read once, when the first line is asked for, in pieces between which the page reacts. */
export function fileLines(file: File): FileLines {
  let places: Promise<number[]> | null = null;
  return {
    async around(line, count) {
      places ??= indexOf(file);
      const index = await places;
      const first = Math.max(1, line - count);
      const start = Math.min(Math.floor((first - 1) / step), index.length - 1);
      const end = Math.floor((line + count) / step) + 1;
      const text = new TextDecoder().decode(await file.slice(index[start], index[end]).arrayBuffer());
      const lines = text.split(/\r\n|\n|\r/);
      const from = first - 1 - start * step;
      return lines
        .slice(from, from + 2 * count + 1 - (first - (line - count)))
        .map((own, n) => ({ line: first + n, text: own.slice(0, maxCharacters) }));
    },
  };
}

/** Byte offsets of the lines 1, 1001, 2001, …. */
async function indexOf(file: File): Promise<number[]> {
  const places = [0];
  let lines = 0;
  let isAfterCr = false;
  // Pieces of a stream come in one task as long as the file is read ahead: the page would not react.
  for (let offset = 0; offset < file.size; offset += pieceBytes) {
    const value = new Uint8Array(await file.slice(offset, offset + pieceBytes).arrayBuffer());
    for (let at = 0; at < value.length; at++) {
      const byte = value[at]!;
      if (byte === lf && isAfterCr) {
        // The line ended with the CR before it; the next one begins here.
        if (lines % step === 0) places[places.length - 1] = offset + at + 1;
      } else if (byte === lf || byte === cr) {
        lines++;
        if (lines % step === 0) places.push(offset + at + 1);
      }
      isAfterCr = byte === cr;
    }
  }
  return places;
}

const kept = new Map<string, File>();

/** Keeps the file of an import until the page is closed. */
export function keepFile(importId: string, file: File): void {
  kept.clear(); // one is enough
  kept.set(importId, file);
}

export const keptFile = (importId: string): File | null => kept.get(importId) ?? null;
