export { createRollUp } from './roll-up';
export { statisticsRoutes } from './statistics.routes';
