import type { CsvColumn } from './csv.sql';
import { filterFields } from './filter-fields';

export interface ExportColumn extends CsvColumn {
  name: string;
}

/** The expressions of `filterFields` are for comparisons; these have the format of the API. */
const times: Record<string, string> = {
  startedAt: 'api_time(s.started_at)',
  completedAt: 'api_time(s.completed_at)',
  createdAt: 'api_time(s.created_at)',
  modifiedAt: 'api_time(s.modified_at)',
};

/** Columns of a CSV file: the model, then the profile fields with the names that filters use. */
export const exportColumns = (profileFields: readonly string[]): ExportColumn[] => [
  ...Object.entries(filterFields).map(([name, { column, kind }]) => ({
    name,
    column: times[name] ?? `${column}::text`,
    isFreeText: kind === 'text',
  })),
  ...profileFields.map((field) => ({
    name: `submitterProfile.${field}`,
    // Configured names consist of letters, digits and _ . : / - (checked at start), so nothing must be
    // escaped.
    column: `(s.submitter_profile_snapshot ->> '${field}')`,
    isFreeText: true,
  })),
];
