export { countedSubmissions, countSql, type FormKey } from './counts.sql';
export { createFormCounts, type FormCounts } from './form-counts';
export { createSubmitterCounts, type SubmitterCounts } from './submitter-counts';
export { createQuarterCounts, type QuarterCounts } from './quarter-counts';
export { partsOf, quartersOf } from './quarters.sql';
