export { foundMembers, type Found, type FoundKind } from './found';
export { findIn, type SearchRequest, type SearchSources } from './find';
export { maxFound, searchInternalRoutes } from './internal-routes';
