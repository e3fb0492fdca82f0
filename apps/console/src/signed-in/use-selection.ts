import { nothingSelected, type Selection } from '@canvass/console-ui/grid';
import { useState } from 'react';

/** The selected rows of a list. A selection ends with the filter that it was made in. */
export function useSelection(filter: unknown): [Selection, (next: Selection) => void] {
  const filterKey = JSON.stringify(filter);
  const [selected, setSelected] = useState({ filterKey, selection: nothingSelected as Selection });
  const selection = selected.filterKey === filterKey ? selected.selection : nothingSelected;
  return [selection, (next) => setSelected({ filterKey, selection: next })];
}
