import type { SpecialTarget } from '../endpoints';
import { filterOf, type FilteredEvent } from './event-filter';

/** The endpoints whose filters do not hold for the event. */
export function leftOutOf(event: FilteredEvent, targets: readonly SpecialTarget[]): string[] {
  const holds = filterOf(event);
  return targets
    .filter(({ conditions }) => conditions !== null && !holds(conditions))
    .map(({ endpointId }) => endpointId);
}
