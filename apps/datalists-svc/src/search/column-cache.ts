/** What is kept of one version of a list, by list; the least recently used goes first when there is too much. */
export interface ColumnCache {
  /**
   * The value kept under `name`, or what `load` gives; callers at the same moment share one load. Another version of the
   * same list is dropped: nobody asks for it again.
   */
  get<T>(list: string, version: string, name: string, load: () => Promise<Loaded<T>>): Promise<T>;
  /** Bytes of all that is kept. */
  bytes(): number;
}

export interface Loaded<T> {
  value: T;
  bytes: number;
}

/** What an entry takes beside the bytes of its value, about: that many lists are small must not make them free. */
const entryBytes = 1024;

interface Entry {
  version: string;
  value: Promise<unknown>;
  bytes: number;
}

export function createColumnCache(limitBytes: number): ColumnCache {
  // In order of use, the latest last.
  const entries = new Map<string, Entry>();
  let total = 0;

  function drop(key: string, entry: Entry): void {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    total -= entry.bytes;
  }

  function account(key: string, entry: Entry, bytes: number): void {
    if (entries.get(key) !== entry) return;
    total += bytes - entry.bytes;
    entry.bytes = bytes;
    for (const [oldKey, old] of entries) {
      if (total <= limitBytes) return;
      if (old !== entry && old.bytes > 0) drop(oldKey, old);
    }
  }

  return {
    get<T>(list: string, version: string, name: string, load: () => Promise<Loaded<T>>): Promise<T> {
      const key = `${list} ${name}`;
      const known = entries.get(key);
      if (known?.version === version) {
        entries.delete(key);
        entries.set(key, known);
        return known.value as Promise<T>;
      }
      if (known !== undefined) drop(key, known);
      const entry: Entry = { version, value: Promise.resolve(), bytes: 0 };
      const value = load().then(
        (loaded) => {
          account(key, entry, entryBytes + loaded.bytes);
          return loaded.value;
        },
        (error: unknown) => {
          drop(key, entry);
          throw error;
        },
      );
      entry.value = value;
      entries.set(key, entry);
      return value;
    },
    bytes: () => total,
  };
}
