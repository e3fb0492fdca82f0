export { createFilteredCounts, type FilteredCounts } from './filtered-counts';
export { leftOutOf } from './left-out';
