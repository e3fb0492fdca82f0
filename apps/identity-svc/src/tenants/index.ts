export { bootstrap } from './bootstrap';
export { bootstrapSchema, type BootstrapTenant } from './bootstrap-settings';
export { hasSeveralTenants, tenantName } from './tenants.sql';
