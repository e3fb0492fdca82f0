import { useSearchParams } from 'wouter';
import { rangeOf, type RangeName } from './range';

/** The range of the page, and how it is changed. */
export function useRange() {
  const [search, setSearch] = useSearchParams();
  const set = (values: Record<string, string>) =>
    setSearch((current) => {
      const next = new URLSearchParams(current);
      for (const own of ['range', 'from', 'to', 'notice']) next.delete(own);
      for (const [own, value] of Object.entries(values)) next.set(own, value);
      return next;
    });
  return {
    range: rangeOf(search, Date.now()),
    choose: (name: RangeName) => set({ range: name }),
    zoom: (from: string, to: string) => set({ from, to }),
  };
}
