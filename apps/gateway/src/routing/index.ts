export { createRouteFinder, type RouteFinder } from './find-route';
export { readTarget, type Target } from './read-target';
export { keyedCreates, routeTable, type Route } from './route-table';
