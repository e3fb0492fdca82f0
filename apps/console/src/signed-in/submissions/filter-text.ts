/** A filter in the grammar of the API: `<field><operator><value>[|<value>]`. */
export interface FilterText {
  field: string;
  operator: string;
  /** Null: absent, or not answered. */
  values: (string | null)[];
}

const written = (value: string | null): string =>
  value === null ? 'null' : value.replaceAll('|', '\\|').replace(/^\\*null$/, '\\$&');

export const writeFilter = ({ field, operator, values }: FilterText): string =>
  `${field}${operator}${values.map(written).join('|')}`;

/** The filter of a text; null for any other text. */
export function readFilter(text: string): FilterText | null {
  const [, field, operator, rest] = /^([A-Za-z]+(?:\.[^:<>]+?)?)([!~]:|>:|<:|:|>|<)(.*)$/s.exec(text) ?? [];
  if (field === undefined || operator === undefined || rest === undefined) return null;
  const values = rest
    .split(/(?<!\\)\|/)
    .map((value) => value.replaceAll('\\|', '|'))
    .map((value) =>
      value === '' || value === 'null' ? null : /^\\+null$/.test(value) ? value.slice(1) : value,
    );
  return { field, operator, values };
}
