export { searchSources } from './search.sql';
