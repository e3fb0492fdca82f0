export { countSql } from './counts.sql';
export { countRanges, createFormCounts, startOfPage, type FormCounts, type FormTotal } from './form-counts';
