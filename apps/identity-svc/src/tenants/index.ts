export { bootstrap } from './bootstrap';
export { bootstrapSchema, type BootstrapTenant } from './bootstrap-settings';
export { hasSeveralTenants, insertTenant, selectTenants, tenantName } from './tenants.sql';
