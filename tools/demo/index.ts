export { startEndpoints, type DemoEndpoints } from './endpoints';
export { fillTenant } from './tenant';
