/**
 * SQL condition: a text contains another, both folded. `%`, `_` and `\\` are plain characters. An index
 * `gin (fold(<column>) gin_trgm_ops)` serves it from three characters on, if the statement is planned with
 * its value: not as a prepared statement. Shorter texts have no trigram, so Postgres would read all of it.
 */
export const contains = (column: string, searched: string): string =>
  foldedContains(`fold(${column})`, searched);

/** The same for a column that is stored folded, with an index `gin (<column> gin_trgm_ops)`. */
export const foldedContains = (folded: string, searched: string): string =>
  `case when length(fold(${searched})) < 3 then strpos(${folded}, fold(${searched})) > 0
     else ${folded} like '%' || regexp_replace(fold(${searched}), '([\\\\%_])', '\\\\\\1', 'g') || '%' end`;
