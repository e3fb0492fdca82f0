export { countUses, quotaRules, type ListQuotas } from './list-quotas';
export { countImports, countItems, countLists } from './uses.sql';
