export { countUses, quotaRules, type ListQuotas } from './list-quotas';
export { countItems, countLists } from './uses.sql';
