/** The selection: rows by their keys, or all that the filter matches. */
export type Selection = { isAll: true } | { isAll: false; keys: ReadonlySet<string> };

export const nothingSelected: Selection = { isAll: false, keys: new Set() };

export const isSelected = (selection: Selection, key: string): boolean =>
  selection.isAll || selection.keys.has(key);

/** The selection with a row added or removed. Of all rows, one cannot be removed: it begins again. */
export function toggled(selection: Selection, key: string): Selection {
  if (selection.isAll) return { isAll: false, keys: new Set([key]) };
  const keys = new Set(selection.keys);
  if (!keys.delete(key)) keys.add(key);
  return { isAll: false, keys };
}

/** The selection with rows added. */
export function extended(selection: Selection, added: readonly string[]): Selection {
  return selection.isAll ? selection : { isAll: false, keys: new Set([...selection.keys, ...added]) };
}
