import type { LabelsOfValue } from './read-list-labels';

/** The label that a value had at a time (ISO), as far as versions are kept; else the one it has now. */
export function labelAt({ current, history }: LabelsOfValue, time: string | null): string | null {
  const then = time === null ? undefined : history.findLast(({ from }) => from <= time);
  return then?.text ?? current ?? history.findLast(({ text }) => text !== null)?.text ?? null;
}
