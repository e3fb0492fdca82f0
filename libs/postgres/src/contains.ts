/**
 * SQL condition: a text contains another, case-insensitive. `%`, `_` and `\\` are plain characters. An index
 * `gin (lower(<column>) gin_trgm_ops)` serves it from three characters on, if the statement is planned with
 * its value: not as a prepared statement. Shorter texts have no trigram, so Postgres would read all of it.
 */
export const contains = (column: string, searched: string): string =>
  `case when length(lower(${searched})) < 3 then strpos(lower(${column}), lower(${searched})) > 0
     else lower(${column}) like '%' || regexp_replace(lower(${searched}), '([\\\\%_])', '\\\\\\1', 'g') || '%' end`;
