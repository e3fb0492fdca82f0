export { countUses } from './count-uses';
export { quotaRules, type SubmissionsQuotas } from './quota-rules';
export { createRecount, recountAnswers } from './recount';
export { createSubmissionUse, type SubmissionUse } from './submission-use';
export { countEndpoints, countForms } from './uses.sql';
