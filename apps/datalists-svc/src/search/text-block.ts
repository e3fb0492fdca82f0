/** The folded texts of some items, by position, and what lets a search skip most of them. */
export interface TextBlock {
  /** The letters (UTF-16 code units) of one text after the other. */
  letters: Uint16Array;
  /** The place where each text starts in `letters`, and the length of `letters`. */
  starts: Uint32Array;
  /** One bit for each mark and text: whether the text has it. */
  marks: Uint32Array;
}

// A text has a mark for each letter, and one for each pair of neighbours. The neighbour of the first and of
// the last letter is the edge. Many letters and pairs share a mark. The marks take 20 bytes for each text.
const letterMarks = 32;
const pairMarks = 128;
const letterMark = (letter: number): number => letter % letterMarks;
const pairMark = (first: number, second: number): number => letterMarks + ((first * 31 + second) % pairMarks);

/** Folding leaves no line feed in a text. */
export const edge = '\n';
const edgeLetter = edge.charCodeAt(0);

/** @param texts folded; empty for an item without the label */
export function textBlock(texts: readonly string[]): TextBlock {
  const letters = new Uint16Array(texts.reduce((total, text) => total + text.length, 0));
  const starts = new Uint32Array(texts.length + 1);
  const words = wordsOf(texts.length);
  const marks = new Uint32Array((letterMarks + pairMarks) * words);
  let end = 0;
  for (const [index, text] of texts.entries()) {
    const word = index >>> 5;
    const bit = 1 << (index & 31);
    let last = edgeLetter;
    for (let at = 0; at < text.length; at++) {
      const letter = text.charCodeAt(at);
      letters[end++] = letter;
      marks[letterMark(letter) * words + word]! |= bit;
      marks[pairMark(last, letter) * words + word]! |= bit;
      last = letter;
    }
    marks[pairMark(last, edgeLetter) * words + word]! |= bit;
    starts[index + 1] = end;
  }
  return { letters, starts, marks };
}

const wordsOf = (count: number): number => Math.ceil(count / 32);

/** Number of texts. */
export const countOf = ({ starts }: TextBlock): number => starts.length - 1;

/** Size in bytes. */
export const bytesOf = ({ letters, starts, marks }: TextBlock): number =>
  letters.byteLength + starts.byteLength + marks.byteLength;

/** The marks that every text has that contains `text`, which may begin and end with an edge. */
export function marksOf(text: string): number[] {
  const letters = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  if (letters.length === 1) return [letterMark(letters[0]!)];
  return letters.slice(1).map((letter, at) => pairMark(letters[at]!, letter));
}

/** Visits the texts that have all the marks, in order. */
export function eachWithMarks(
  block: TextBlock,
  wanted: readonly number[],
  visit: (index: number) => void,
): void {
  const words = wordsOf(countOf(block));
  for (let word = 0; word < words; word++) {
    let found = -1;
    for (let n = 0; n < wanted.length && found !== 0; n++) found &= block.marks[wanted[n]! * words + word]!;
    for (; found !== 0; found &= found - 1) visit(word * 32 + 31 - Math.clz32(found & -found));
  }
}
