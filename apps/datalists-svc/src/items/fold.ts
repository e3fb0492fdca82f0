/**
 * Folding lets `alava` find `Álava`. Only this file computes it. Items are folded when search reads them,
 * queries when they arrive.
 *
 * Folded are case, accents, letters whose stroke or ligature has no Unicode decomposition, and typographic
 * quotes and dashes. Vowel signs of Indic scripts and the voicing marks of kana stay, because they are
 * letters there.
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
};
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

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
