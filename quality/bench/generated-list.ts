import type { DataListItem } from '@canvass/contracts';
import { createRandom } from '@canvass/testing';

export interface GeneratedList {
  items: number;
  /** The same seed gives the same items. */
  seed?: number;
  /** Locales with a label of their own; `default` comes on top. About one item in eight lacks each. */
  locales?: readonly string[];
}

const latin =
  'a al an ar ba bel ber bo bra ça cas chá da dor é el en er es fe ga gra ham hé in is ka la lán le lo ma me mer mi mó na ne nu o os pa po ra rí ro sal san se sta tal to tu ul va vil zá'.split(
    ' ',
  );
const alphabets: Readonly<Record<string, readonly string[]>> = {
  de: 'ach bach berg bin brück burg dorf ei fel feld gen grün haus heim ho in kö lau len mün neu nord ober ort rei ros see stadt stein straß sü tal ü wald wei wies'.split(
    ' ',
  ),
  pl: 'bi bór brze chó cie cza dą dzi gó gra jo ka ki kó kra le łę lo ło łu mi mła na no ób pol rze sie ska sła sz śli to wa wie wła wo za zdró zy żó'.split(
    ' ',
  ),
};
const firstWords = ['San', 'Santa', 'Saint', 'New', 'Port', 'El', 'La', 'Upper', 'Bad', 'Nowy'];

/**
 * Items like those of a list of the world's cities: values are ids, names repeat, have accents, commas,
 * quotes and several words. None is kept, so that a million of them can be streamed.
 */
export function* generatedItems({
  items,
  seed = 1,
  locales = ['de', 'pl'],
}: GeneratedList): Generator<DataListItem> {
  const { between } = createRandom(String(seed));
  const next = (below: number) => between(0, below - 1);
  for (let n = 0; n < items; n++) {
    const labels: Record<string, string> = { default: name(next, latin) };
    for (const locale of locales) {
      if (next(8) > 0) labels[locale] = name(next, alphabets[locale] ?? latin);
    }
    // 7,919 is a prime that divides no such number of items: each id comes once, in no order.
    yield { value: String(1_000_000 + ((n * 7_919) % items)), labels };
  }
}

/** As a CSV file, in pieces of about 64 KB. */
export function* generatedCsv(list: GeneratedList): Generator<string> {
  const keys = ['default', ...(list.locales ?? ['de', 'pl'])];
  let piece = `value,${keys.join(',')}\r\n`;
  for (const { value, labels } of generatedItems(list)) {
    piece += `${value},${keys.map((key) => cell(labels[key] ?? '')).join(',')}\r\n`;
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function name(next: (below: number) => number, syllables: readonly string[]): string {
  const word = () => {
    let text = '';
    for (let left = 2 + next(3); left > 0; left--) text += syllables[next(syllables.length)]!;
    return text[0]!.toUpperCase() + text.slice(1);
  };
  const kind = next(10);
  if (kind === 0) return `${firstWords[next(firstWords.length)]!} ${word()}`;
  return kind === 1 ? `${word()}, ${word()} "${word()}"` : word();
}
