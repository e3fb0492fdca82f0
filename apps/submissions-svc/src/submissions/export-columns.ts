import type { CsvColumn } from './csv.sql';
import { filterFields, type FieldKind } from '../filters';

export interface ExportColumn extends CsvColumn {
  name: string;
  kind: FieldKind;
}

/** The expressions of `filterFields` are for comparisons; these have the format of the API. */
const times: Record<string, string> = {
  startedAt: 'api_time(s.started_at)',
  completedAt: 'api_time(s.completed_at)',
  createdAt: 'api_time(s.created_at)',
  modifiedAt: 'api_time(s.modified_at)',
};

/** Columns of a table: the model, then the profile fields with the names that filters use. */
export const exportColumns = (profileFields: readonly string[]): ExportColumn[] => [
  ...Object.entries(filterFields)
    .filter(([, { isFilterOnly = false }]) => !isFilterOnly)
    .map(([name, { column, kind }]) => ({
      name,
      kind,
      column: times[name] ?? `${column}::text`,
      isFreeText: kind === 'text',
    })),
  ...profileFields.map((field) => ({
    name: `submitterProfile.${field}`,
    kind: 'text' as const,
    // Configured names consist of letters, digits and _ . : / - (checked at start), so nothing must be
    // escaped.
    column: `(s.submitter_profile_snapshot ->> '${field}')`,
    isFreeText: true,
  })),
];
