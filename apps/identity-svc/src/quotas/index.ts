export { countUses, quotaRules, type AccountQuotas } from './account-quotas';
export { countServiceAccounts, countUsers } from './uses.sql';
