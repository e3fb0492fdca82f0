export { countSql } from './counts.sql';
export { countRanges, createFormCounts, type CountedPage, type FormCounts } from './form-counts';
