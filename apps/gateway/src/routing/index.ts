export { allow, isAllowedMethod, isRepeatable } from './methods';
export { keyedCreates, maxImportBytes, routeTable, type Route } from './route-table';
