/** Cached columns of list versions, by list. The least recently used list is evicted first. */
export interface ColumnCache {
  /**
   * The value cached under `name`, or the result of `load`. Concurrent callers share one load. Another
   * version of the same list is evicted, because it is not searched any more.
   */
  get<T>(list: string, version: string, name: string, load: () => Promise<Loaded<T>>): Promise<T>;
  /** Size of all entries in bytes. */
  bytes(): number;
}

interface Loaded<T> {
  value: T;
  bytes: number;
}

/** Approximate overhead of an entry, so that many small lists count, too. */
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
