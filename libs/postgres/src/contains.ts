/**
 * SQL condition: a text contains another, case-insensitive. `%`, `_` and `\\` are plain characters. An index
 * `gin (lower(<column>) gin_trgm_ops)` serves it from three characters on, if the statement is planned with
 * its value: not as a prepared statement.
 */
export const contains = (column: string, searched: string): string =>
  `lower(${column}) like '%' || regexp_replace(lower(${searched}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`;
