import type { LocaleCatalog } from '../catalog';
import type { FaultList } from './faults';
import { resolveKey, type FileItem, type ItemRules, type Place } from './item-rules';

/** What the reading of items needs. */
export interface ItemContext {
  list: LocaleCatalog;
  rules: ItemRules;
  faults: FaultList;
}

/** A parsed JSON value as an item with normalized label keys; null if it has errors, which are recorded. */
export function readItem(raw: unknown, place: Place, context: ItemContext): FileItem | null {
  const { faults } = context;
  const before = faults.count;
  if (!isRecord(raw)) {
    faults.add({ ...place(''), code: 'item_not_object', message: 'An item is an object { value, labels }.' });
    return null;
  }
  for (const member in raw) {
    if (member !== 'value' && member !== 'labels') {
      const message = 'An item has only value and labels.';
      faults.add({ ...place(clip(member)), code: 'member_unknown', message });
    }
  }
  const { value, labels } = raw;
  if (typeof value !== 'string') {
    faults.add({ ...place('value'), code: 'value_not_text', message: 'The value must be a text.' });
  }
  if (!isRecord(labels)) {
    const message = 'The labels must be an object { default, ... } of texts.';
    faults.add({ ...place('labels'), code: 'labels_not_object', message });
    return null;
  }
  const read = readLabels(labels, (name) => place(`labels.${clip(name)}`), context);
  return faults.count === before && typeof value === 'string' ? { value, labels: read } : null;
}

/** A blank or null label clears its key, like a blank CSV cell. */
function readLabels(
  labels: Record<string, unknown>,
  at: Place,
  { list, rules, faults }: ItemContext,
): FileItem['labels'] {
  const read: FileItem['labels'] = {};
  const named = new Set<string>();
  for (const [name, label] of Object.entries(labels)) {
    const resolved = resolveKey(list, name);
    if ('fault' in resolved) faults.add({ ...at(name), ...resolved.fault });
    else if (named.has(resolved.key)) {
      const message = `The label ${resolved.key} is given twice.`;
      faults.add({ ...at(name), code: 'label_repeated', message });
    } else if (typeof label !== 'string' && label !== null) {
      faults.add({ ...at(name), code: 'label_not_text', message: 'A label must be a text.' });
    } else {
      named.add(resolved.key);
      rules.label(read, resolved.key, label);
    }
  }
  return read;
}

function clip(name: string): string {
  return name.slice(0, 80);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
