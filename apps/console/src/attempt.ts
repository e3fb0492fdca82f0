/** Runs what may fail, such as the storage that a browser may forbid. @returns null if it fails */
export function attempt<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
