import { TimeFilter } from './filters';
import { useGridTexts } from './grid-texts';
import type { useListState } from './list-state';

/** The time that a list is shown from. It is no filter: later and earlier records are still there. */
export function JumpField({ list }: { list: ReturnType<typeof useListState> }) {
  const { jump } = useGridTexts();
  return <TimeFilter title={jump} value={list.filter('at')} setValue={(at) => list.setFilters({ at })} />;
}
