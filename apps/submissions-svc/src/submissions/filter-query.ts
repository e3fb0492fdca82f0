import {
  fieldsParameter,
  formatSchema,
  idSchema,
  instantSchema,
  listParameters,
  searchText,
  type Paging,
} from '@canvass/service-kit';
import Joi from 'joi';
import { answersPrefix, longestAnswerPath } from './answer-path';
import { submissionFields } from './fields.sql';
import { sortableFields } from './filter-fields';
import { readFilters } from './filter-grammar';
import type { SubmissionFilter } from './filter.sql';
import type { ListOrder } from './list.sql';

/** The common parameters of lists and exports. */
export interface FilterMembers {
  filter: string[];
  search?: string | null;
  from?: Date | null;
  to?: Date | null;
}

interface ListMembers extends FilterMembers, ListOrder {
  /** Members of a page by key; all if absent. */
  fields?: string[];
}

export type ListQuery = Paging & ListMembers;

export interface ExportBody extends FilterMembers {
  format: 'csv' | 'ndjson' | 'json';
  raw: boolean;
}

const filters = Joi.array()
  .items(Joi.string().max(4000))
  .max(20)
  .default([])
  .description(
    '`<field><op><value>[|<value>…]` with an operator of `: !: >: <: > <`; all filters must hold, of several values one. Fields are those of the submission and `submitterProfile.<field>` (`:` and `!:` only, configured fields only), and `answers.<path>`: an answer by the name of its question, or by names separated by dots; of several choices one must be equal, and `> < >: <:` compare numbers. `null`, or no value, means that the field is absent; `\\|` is a bar within a value, `\\null` the text `null`. Times without a zone are in UTC.',
  )
  .example(['isComplete:true', 'submitterProfile.department:Research|Sales']);

const members = {
  search: searchText().description('text within the display id, case-insensitive'),
  from: instantSchema('created at or after this time'),
  to: instantSchema('created before this time'),
};

export const listQuery = listParameters<ListMembers>({
  ...members,
  filter: filters.single(),
  sortBy: Joi.string()
    .valid(...sortableFields)
    .default('id')
    .description('field to sort by; equal values are sorted by id, absent values come last'),
  fields: fieldsParameter(submissionFields, { prefix: answersPrefix, longest: longestAnswerPath }),
  sortDir: Joi.string().valid('asc', 'desc').default('desc').description('direction of the order'),
});

export const exportBody = Joi.object<ExportBody>({
  format: formatSchema('csv', 'ndjson', 'json').description('format of the file, case-insensitive'),
  filter: filters,
  raw: Joi.boolean()
    .default(false)
    .description('whether CSV cells that a spreadsheet would run as formulas are not escaped'),
  search: members.search.allow(null),
  from: members.from.allow(null),
  to: members.to.allow(null),
})
  .default()
  .example({ format: 'csv', filter: ['isComplete:true'], from: '2026-11-01T00:00:00Z' })
  .id('SubmissionExportRequest');

export const formParams = Joi.object<{ formId: string }>({ formId: idSchema.description('id of the form') });

/** @throws {Problem} `validation_failed` for invalid filters */
export function filterOf(
  tenantId: string,
  formId: string,
  { filter, search, from, to }: FilterMembers,
  profileFields: readonly string[],
): SubmissionFilter {
  return {
    tenantId,
    formId,
    conditions: readFilters(filter, profileFields),
    search: search || null,
    from: from ?? null,
    to: to ?? null,
  };
}
