import { useSearchParams } from 'wouter';
import { usePreferences } from '../i18n';
import { useListState } from './list-state';
import { rangeOf, type RangeName } from './range';

/** The range of the page, and how it is changed. */
export function useRange() {
  const [search] = useSearchParams();
  const { zone } = usePreferences();
  const { setFilters } = useListState();
  const others = { range: '', from: '', to: '', notice: '' };
  return {
    range: rangeOf(search, Date.now(), zone),
    choose: (name: RangeName) => setFilters({ ...others, range: name }),
    zoom: (from: string, to: string) => setFilters({ ...others, from, to }),
  };
}
