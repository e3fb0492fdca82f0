export { changedList } from './catalog-answers';
export { catalogRoutes, refOf } from './catalog.routes';
export {
  commaList,
  culturesPattern,
  listParams,
  localeKey,
  localeList,
  localesLimit,
  newListBody,
} from './catalog.schemas';
export { localesOf, selectLists, updateListRow, viewOf, type ListRow } from './catalog.sql';
export { findList } from './read-list';
export { announce, assertRevision, changeList, lockList, type ListRef } from './change-list';
export {
  defaultKey,
  labelKeyOf,
  labelKeysOf,
  normalizeCultureKey,
  pickLabels,
  withLocales,
  type LocaleCatalog,
} from './culture-key';
