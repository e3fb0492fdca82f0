export { placeSql, type CountedSet, type PageRow } from './counts.sql';
export {
  createRangeCounts,
  withCounts,
  type CountedPage,
  type PagePlace,
  type RangeCounts,
  type RangeOptions,
} from './range-counts';
