/**
 * SQL condition: a text contains another, both folded. `%`, `_` and `\\` are plain characters. An index
 * `gin (fold(<column>) gin_trgm_ops)` serves it from three characters on, if the statement is planned with
 * its value: not as a prepared statement. Shorter texts have no trigram, so Postgres would read all of it.
 */
export const contains = (column: string, searched: string): string =>
  `case when length(fold(${searched})) < 3 then strpos(fold(${column}), fold(${searched})) > 0
     else fold(${column}) like '%' || regexp_replace(fold(${searched}), '([\\\\%_])', '\\\\\\1', 'g') || '%' end`;
