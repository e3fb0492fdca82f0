export { createRouteFinder, type RouteFinder } from './find-route';
export { allow, isAllowedMethod, isRepeatable } from './methods';
export { readTarget, type Target } from './read-target';
export { keyedCreates, maxImportBytes, routeTable, type Route } from './route-table';
