export { filterFields, sortableFields, type FieldKind, type FilterField } from './filter-fields';
export { readFilter, readFilters, type Condition, type FilterOperator } from './filter-grammar';
export { FilterFault } from './filter-values';
export { isOfTime, whereOf, type SubmissionFilter } from './filter.sql';
