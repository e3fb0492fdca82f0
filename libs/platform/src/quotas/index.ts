export { quotasSchema } from './schema';
export { quotaOperations } from './operations';
export { createQuotas, type CountUses, type Quotas, type QuotaView } from './quotas';
export { quotaRoutes } from './routes';
export { quotaSettingsSchema, type QuotaNumbers, type QuotaRules, type QuotaSettings } from './rules';
