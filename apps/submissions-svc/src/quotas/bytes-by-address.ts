import { currentContext, networksOf } from '@canvass/service-kit';

/** The number of entries. Of more, those that began first on this day are forgotten. */
const maxEntries = 100_000;

/** Bytes that anonymous callers sent to a form today, by their address, in the memory of this process. */
export function createBytesByAddress() {
  const sent = new Map<string, number>();
  let day = -1;
  const keyOf = (formId: string): string | null => {
    const { address } = currentContext() ?? {};
    return address === undefined ? null : `${formId} ${networksOf(address)[0]}`;
  };
  return {
    /** Bytes of the caller of the request; 0 if its address is not known. */
    used(formId: string, today: number): number {
      if (day !== today) sent.clear();
      day = today;
      const key = keyOf(formId);
      return key === null ? 0 : (sent.get(key) ?? 0);
    },
    add(formId: string, bytes: number): void {
      const key = keyOf(formId);
      if (key === null || bytes === 0) return;
      sent.set(key, Math.max(0, (sent.get(key) ?? 0) + bytes));
      const [oldest] = sent.keys();
      if (sent.size > maxEntries) sent.delete(oldest!);
    },
  };
}
