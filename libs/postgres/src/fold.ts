/**
 * Folding lets `alava` find `Álava`, in all searches. The function `fold` of Postgres is made from the tables
 * of this file (`npx tsx build/fold/main.ts`), and a test compares the two for all of Unicode.
 *
 * Folded are case, accents, letters whose stroke or ligature has no Unicode decomposition, variants of Arabic
 * and Persian letters, digits of all scripts, and typographic quotes and dashes. Vowel signs of Indic scripts
 * and the voicing marks of kana stay, because they are letters there.
 */

/**
 * Quotes and dashes that people type for each other. Applied before NFKD, which would split `´` into a space
 * and an accent, and after it, because NFKD exposes those inside other signs (`ŉ`).
 */
const punctuation: readonly [RegExp, string][] = [
  [/[‘’‚‛‹›ʼʻʽ´`′＇ʹ]/g, "'"],
  [/[“”„‟«»″＂]/g, '"'],
  [/[‐‑‒–—―−﹘﹣－]/g, '-'],
];

/**
 * Diacritics of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel signs and tatweel; and invisible
 * format characters.
 */
const marks =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** The zero of each row of decimal digits in Unicode; nine more digits follow it. */
const zeros = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6,
  0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0,
  0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0x104a0, 0x10d30, 0x10d40, 0x11066,
  0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0,
  0x11950, 0x11bf0, 0x11c50, 0x11d50, 0x11da0, 0x11de0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50, 0x16d70,
  0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950,
];

/** Letters that NFKD leaves as they are, and what people type for them. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ȷ: 'j',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ƀ: 'b',
  ɓ: 'b',
  ƈ: 'c',
  ɖ: 'd',
  ɗ: 'd',
  ǥ: 'g',
  ɠ: 'g',
  ɨ: 'i',
  ƙ: 'k',
  ƚ: 'l',
  ɲ: 'n',
  ƞ: 'n',
  ɵ: 'o',
  ƥ: 'p',
  ƭ: 't',
  ʉ: 'u',
  ʋ: 'v',
  ƴ: 'y',
  ƶ: 'z',
  ς: 'σ',
  // As Lucene normalizes Arabic and Persian: seats of hamza lose their marks above, by NFKD.
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ی: 'ي',
  ے: 'ي',
  ک: 'ك',
  ہ: 'ه',
  '⁄': '/',
  ...Object.fromEntries(
    zeros.flatMap((zero) =>
      Array.from({ length: 10 }, (_, digit) => [String.fromCodePoint(zero + digit), String(digit)]),
    ),
  ),
};
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu');

/** What the function of Postgres is made from. */
export const foldTables = { punctuation, marks, letters };

/** ASCII needs no tables, and most of a real list is ASCII. */
const notAscii = /[^\t\n\r -~]/;

/**
 * The folded form of a text. Texts that differ only in case, accents, typographic punctuation or white space
 * have the same form. Runs of white space become one space, and the ends are trimmed. It may be empty.
 */
export function fold(text: string): string {
  if (!notAscii.test(text)) return squeeze(text.replaceAll('`', "'").toLowerCase());
  const decomposed = plainPunctuation(plainPunctuation(text).normalize('NFKD'));
  // İ (U+0130) must lose its dot before it is lowercased, otherwise a mark remains. So marks are removed
  // first.
  const plain = decomposed.replace(marks, '').toLowerCase();
  return squeeze(plain.replace(special, (letter) => letters[letter]!).normalize('NFC'));
}

function plainPunctuation(text: string): string {
  return punctuation.reduce((plain, [signs, sign]) => plain.replace(signs, sign), text);
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
