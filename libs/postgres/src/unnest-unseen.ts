/**
 * `unnest` of array parameters whose lengths the planner does not see, so that a prepared statement keeps its
 * plan.
 *
 * Postgres plans a statement again at every call while the plan for the values seems cheaper than the plan
 * for any values. It expects ten rows of an array of unknown length, so the plan for a shorter array always
 * seems cheaper. Planning took up to two thirds of the time of such statements.
 *
 * @param arrays parameters with their types: `$ids::bigint[], $names::text[]`
 */
export const unnestUnseen = (arrays: string): string =>
  `unnest(${arrays
    .split(',')
    .map((array) => `(select ${array.trim()})`)
    .join(', ')})`;
