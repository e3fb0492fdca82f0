export { bootstrap } from './bootstrap';
export { bootstrapSchema, type BootstrapTenant } from './bootstrap-settings';
export { tenantName } from './tenants.sql';
