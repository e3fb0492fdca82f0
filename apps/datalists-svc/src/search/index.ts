export { createItemSearch, type ItemSearch, type SearchRequest } from './item-search';
export type { ItemsVersion } from './columns.sql';
export { gradeOfText, grades, matchModes, type MatchMode } from './matches';
export { removeStaleColumns } from './stored-columns.sql';
export { createWarmUp } from './warm-up';
