import { isBlank } from '@canvass/service-kit';
import { defaultKey, labelKeyOf, type LocaleCatalog } from '../catalog';
import type { Fault, FaultList } from './faults';
import { ValueIndex } from './value-index';

export interface ItemLimits {
  items: number;
  /** Characters (code points). */
  value: number;
  label: number;
}

export const importModes = ['replace', 'merge'] as const;
/** Whether the items of a file replace those of the list, or are merged with them by value. */
export type ImportMode = (typeof importModes)[number];

/** An item of a file. For a merge a label is null if the file clears it, and absent if it is not named. */
export interface FileItem {
  value: string;
  labels: Record<string, string | null>;
}

/** The place of a text of an item; built only for an error. */
export type Place = (key: 'value' | 'default' | (string & {})) => Pick<Fault, 'line' | 'column' | 'field'>;

/** Decoders insert `U+FFFD` for bytes that are not UTF-8. It is never intended in a label. */
const replacementSign = '\ufffd';

/** Rare characters that need a closer check. */
const doubtful = /[\0\ufffd\ud800-\udfff]/;
/** Half of a UTF-16 pair. It cannot be encoded as UTF-8. */
const loneSurrogate = /\p{Cs}/u;

/** The rules of items in all formats: required texts, lengths, characters, unique values, number of items. */
export class ItemRules {
  private readonly seen = new ValueIndex();
  private count = 0;

  constructor(
    private readonly limits: ItemLimits,
    private readonly faults: FaultList,
    private readonly mode: ImportMode,
  ) {}

  /** Sets a label of an item. A blank one or null clears its key. */
  label(labels: FileItem['labels'], key: string, text: string | null): void {
    if (text !== null && !isBlank(text)) labels[key] = text;
    else if (this.mode === 'merge') labels[key] = null;
  }

  /**
   * Checks a parsed item without its blank labels and records its errors. `ordinal` is its line, its row or
   * its index in the JSON array; the error of a later duplicate names it.
   */
  check(item: FileItem, ordinal: number, place: Place, ordinalName: 'line' | 'row' | 'item'): boolean {
    const before = this.faults.count;
    this.count++;
    if (this.count > this.limits.items) {
      const message = `A list holds at most ${this.limits.items} items.`;
      this.faults.stop({ ...place('value'), code: 'too_many_items', message });
    }
    if (isBlank(item.value)) {
      this.faults.add({ ...place('value'), code: 'value_missing', message: 'The value is missing.' });
    } else {
      this.text(item.value, 'value', this.limits.value, place);
      this.unique(item.value, ordinal, place, ordinalName);
    }
    if ((item.labels[defaultKey] ?? null) === null) {
      const message = 'The default label is missing.';
      this.faults.add({ ...place(defaultKey), code: 'default_missing', message });
    }
    for (const key in item.labels) this.text(item.labels[key] ?? '', key, this.limits.label, place);
    return this.faults.count === before;
  }

  private unique(value: string, ordinal: number, place: Place, ordinalName: string): void {
    const first = this.seen.note(value, ordinal);
    if (first !== null) {
      const message = `The value ${JSON.stringify(value.slice(0, 80))} is already used by ${ordinalName} ${first}.`;
      this.faults.add({ ...place('value'), code: 'value_repeated', message });
    }
  }

  private text(text: string, key: string, limit: number, place: Place): void {
    const what = key === 'value' ? 'value' : 'label';
    if (text.length > limit && characters(text) > limit) {
      const message = `The ${what} has ${characters(text)} characters; at most ${limit} are allowed.`;
      this.faults.add({ ...place(key), code: `${what}_too_long`, message });
    }
    if (!doubtful.test(text)) return;
    if (text.includes('\0')) {
      const message = `The ${what} holds a NUL character (U+0000).`;
      this.faults.add({ ...place(key), code: `${what}_with_nul`, message });
    }
    if (loneSurrogate.test(text)) {
      const message = `The ${what} holds half of a surrogate pair.`;
      this.faults.add({ ...place(key), code: `${what}_with_half_pair`, message });
    }
    if (text.includes(replacementSign)) {
      this.faults.add({
        ...place(key),
        code: `${what}_not_decoded`,
        message: `The ${what} holds U+FFFD, the sign of a text decoded wrongly: save the file as UTF-8.`,
      });
    }
  }
}

/** Length in code points, as people count. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The label key of a column or label, or the reason to reject it. */
export function resolveKey(
  list: LocaleCatalog,
  name: string,
): { key: string } | { fault: Pick<Fault, 'code' | 'message'> } {
  const key = labelKeyOf(list, name);
  if (key !== null) return { key };
  return {
    fault: {
      code: 'locale_unknown',
      message: `${JSON.stringify(name.slice(0, 80))} is not a locale of the list; add it to the list or name it in ensureLocales.`,
    },
  };
}
