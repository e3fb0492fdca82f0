import { labelAt, type LabelsOfValue, type ReadListLabels } from '../list-labels';
import type { ListText } from './answer-cells';

/** Values of data lists by the id of the list. */
export type ListValues = Map<string, Set<string>>;

/** Texts of values of data lists, each read once. */
export interface ListTexts {
  /** @throws {Problem} `service_unavailable` if datalists-svc does not answer */
  load(values: ListValues): Promise<void>;
  /** The label at a time (ISO), and the one of now beside it if that is another. */
  textAt(time: string): ListText;
}

/** Values that are kept; then they are read again. */
const maxKept = 100_000;

export function createListTexts(
  read: ReadListLabels,
  { tenantId, locale }: { tenantId: string; locale: string },
): ListTexts {
  const known = new Map<string, Map<string, LabelsOfValue | null>>();
  let kept = 0;
  return {
    async load(values) {
      if (kept > maxKept) {
        known.clear();
        kept = 0;
      }
      const lists = new Map(
        [...values]
          .map(
            ([list, ofList]) =>
              [list, new Set([...ofList].filter((value) => !known.get(list)?.has(value)))] as const,
          )
          .filter(([, ofList]) => ofList.size > 0),
      );
      if (lists.size === 0) return;
      const labels = await read({ tenantId, locale, lists });
      for (const [list, ofList] of lists) {
        const texts = known.get(list) ?? new Map<string, LabelsOfValue | null>();
        for (const value of ofList) texts.set(value, labels.get(list)?.get(value) ?? null);
        known.set(list, texts);
        kept += ofList.size;
      }
    },
    textAt: (time) => (list, value) => {
      const labels = known.get(list)?.get(value);
      if (!labels) return undefined;
      const then = labelAt(labels, time);
      if (then === null) return undefined;
      return labels.current === null || labels.current === then ? then : `${then} → ${labels.current}`;
    },
  };
}
