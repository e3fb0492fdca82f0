export { createItemSearch, type ItemSearch, type SearchRequest } from './item-search';
export { gradeOfText, grades, matchModes, type MatchMode } from './matches';
export type { ItemsVersion } from './search-data.sql';
