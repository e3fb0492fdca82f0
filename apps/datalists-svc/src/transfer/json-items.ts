import type { DataListItem } from '@canvass/contracts';
import { type LocaleCatalog } from '../catalog';
import type { FaultList } from './faults';
import { resolveKey, type ItemRules } from './item-rules';

const batchSize = 2000;

/** Checks the `items` of a JSON import and yields the sound ones in batches, in order, with normalised label keys. */
export function* jsonItems(
  items: readonly unknown[],
  list: LocaleCatalog,
  rules: ItemRules,
  faults: FaultList,
): Generator<DataListItem[]> {
  let batch: DataListItem[] = [];
  for (const [index, raw] of items.entries()) {
    const item = readItem(raw, index, list, faults);
    if (item === null) continue;
    const place = (key: string) =>
      at(key === 'value' ? `items[${index}].value` : `items[${index}].labels.${key}`);
    if (rules.check(item, index, place, 'item')) batch.push(item);
    if (batch.length >= batchSize) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function readItem(raw: unknown, index: number, list: LocaleCatalog, faults: FaultList): DataListItem | null {
  const path = `items[${index}]`;
  const before = faults.faults.length;
  if (!isRecord(raw)) {
    faults.add({ ...at(path), message: 'An item is an object { value, labels }.' });
    return null;
  }
  for (const member of Object.keys(raw)) {
    if (member !== 'value' && member !== 'labels') {
      faults.add({ ...at(`${path}.${clip(member)}`), message: 'An item has only value and labels.' });
    }
  }
  const { value, labels } = raw;
  if (typeof value !== 'string') {
    faults.add({ ...at(`${path}.value`), message: 'The value must be a text.' });
  }
  if (!isRecord(labels)) {
    faults.add({
      ...at(`${path}.labels`),
      message: 'The labels must be an object { default, ... } of texts.',
    });
    return null;
  }
  const read = readLabels(labels, `${path}.labels`, list, faults);
  return faults.faults.length === before && typeof value === 'string' ? { value, labels: read } : null;
}

/** An empty label clears its key, as an empty CSV cell does. */
function readLabels(
  labels: Record<string, unknown>,
  path: string,
  list: LocaleCatalog,
  faults: FaultList,
): Record<string, string> {
  const read: Record<string, string> = {};
  const named = new Set<string>();
  for (const [name, label] of Object.entries(labels)) {
    const field = `${path}.${clip(name)}`;
    const resolved = resolveKey(list, name);
    if ('fault' in resolved) faults.add({ ...at(field), message: resolved.fault });
    else if (named.has(resolved.key)) {
      faults.add({ ...at(field), message: `The label ${resolved.key} is given twice.` });
    } else if (typeof label !== 'string') {
      faults.add({ ...at(field), message: 'A label must be a text.' });
    } else {
      named.add(resolved.key);
      if (label !== '') read[resolved.key] = label;
    }
  }
  return read;
}

function at(field: string): { line: null; column: null; field: string } {
  return { line: null, column: null, field };
}

function clip(name: string): string {
  return name.slice(0, 80);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
