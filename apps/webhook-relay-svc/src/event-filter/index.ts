export { filterOf, type FilteredEvent } from './event-filter';
export { createFilteredCounts, type FilteredCounts } from './filtered-counts';
export { leftOutOf } from './left-out';
