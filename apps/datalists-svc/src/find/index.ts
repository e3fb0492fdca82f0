export { searchSources } from './find.sql';
