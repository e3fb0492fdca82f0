import type { Queryable } from '@canvass/postgres';
import { whereOf, type SubmissionFilter } from '../filters';
import type { AskedQuestion } from './asked-questions';

/** How often a question has a value. */
export interface ValueRow {
  n: number;
  value: string;
  count: number;
  /** The mean place among the values of an answer, from 1. */
  place: number;
}

/** Of a question with answers: how many, and their values in all. */
export interface AnsweredRow {
  n: number;
  answered: number;
  values: number;
}

export interface NumbersRow {
  n: number;
  count: number;
  mean: number;
  median: number;
  min: number;
  max: number;
  /** `from` inclusive, `to` exclusive; in order and without gaps. */
  buckets: { from: number; to: number; count: number }[];
}

export interface TextRow {
  n: number;
  submissionId: string;
  text: string;
}

export interface SummaryRows {
  /** Submissions that match. */
  total: number;
  /** Of those, the ones that were read. */
  counted: number;
  answered: AnsweredRow[];
  values: ValueRow[];
  numbers: NumbersRow[];
  texts: TextRow[];
}

/** Longest value that is counted by itself, in characters. */
const maxValueLength = 300;
/** Values of a question that are returned, its choices first. */
const maxValues = 500;
/** Characters of a text. */
const maxTextLength = 300;
/** Texts of a question. */
const maxTexts = 10;
/** Submissions in which the newest texts are looked for. */
const maxForTexts = 1_000;

/** Numbers that are computed with; others count as answers only. */
const plainNumber = String.raw`'^-?\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,2})?$'`;

/**
 * Counts the answers of the submissions of a filter, all questions in one pass. Of more than `maxCounted`,
 * those are read whose hash of the id is below a limit: the same ones each time. Values are those that
 * filters compare, so a filter by a value finds what is counted here.
 */
export async function selectSummary(
  db: Queryable,
  filter: SubmissionFilter,
  asked: readonly AskedQuestion[],
  maxCounted: number,
): Promise<SummaryRows> {
  const { where, values } = whereOf(filter);
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const questions = `${parameter(JSON.stringify(asked.map(questionOf)))}::json`;
  const members = membersOf(asked, filter.tenantId, parameter);
  const limit = `${parameter(maxCounted)}::integer`;
  const [row] = await db.query<SummaryRows>(
    `with questions as (
       select * from json_to_recordset(${questions})
         as q(n integer, member text, "row" text, path text, kind text, choices text[])
     ), matching as (
       select s.id from submissions s where ${where}
     ), size as (
       select count(*) as total from matching
     ), picked as (
       select m.id from matching m cross join size z
       where z.total <= ${limit}
         or (hashint8extended(m.id, 0) & 2147483647) < ${limit}::float8 / z.total * 2147483648
     ), newest as materialized (
       select * from picked order by id desc limit ${maxForTexts}
     ), grouped as (
       select n, key, count(*) as count, count(*) filter (where place = 1) as answers, avg(place) as place
       from (
         select n, place, case kind
           when 'dates' then left(value, 10)
           when 'numbers' then case when type = 'number' and length(value) <= ${maxValueLength} then value end
           when 'choices' then case when length(value) <= ${maxValueLength} then value end
         end as key
         from (
           select n, kind, type, unnest(found) as value, generate_subscripts(found, 1) as place
           from (${foundIn('picked', members, `q.kind in ('choices', 'dates', 'numbers')`)}) f
         ) v
       ) k
       group by n, key
     ), numbers as (
       select n, value, sum(count) as count, sum(sum(count)) over (partition by n) as total,
         sum(sum(count)) over (partition by n order by value) as upto
       from grouped join questions using (n)
       cross join lateral (select case when key ~ ${plainNumber} then key::numeric end as value) v
       where kind = 'numbers' and value is not null group by n, value
     ), measures as (
       select n, total, sum(value * count) / total as mean, min(value) as low, max(value) as high,
         (min(value) filter (where upto >= floor((total + 1) / 2)) + min(value) filter (where upto >= ceil((total + 1) / 2))) / 2
           as median,
         greatest((max(value) - min(value)) / 10, case when bool_and(value = trunc(value)) then 1 else 0 end) as width
       from numbers group by n, total
     ), steps as (
       select m.*, case when width = 0 then 1 else trim_scale(power * (case when width <= power then 1
         when width <= 2 * power then 2 when width <= 5 * power then 5 else 10 end)) end as step
       from measures m
       cross join lateral (select power(10::numeric, floor(log(nullif(width, 0)))) as power) p
     ), buckets as (
       select s.n, json_agg(json_build_object('from', (b.place * s.step)::float8, 'to', ((b.place + 1) * s.step)::float8,
         'count', coalesce(c.count, 0)) order by b.place) as buckets
       from steps s
       cross join lateral generate_series(floor(s.low / s.step), floor(s.high / s.step)) as b(place)
       left join (
         select x.n, floor(x.value / y.step) as place, sum(x.count)::integer as count
         from numbers x join steps y using (n) group by 1, 2
       ) c on c.n = s.n and c.place = b.place
       group by s.n
     )
     select (select total::integer from size) as total, (select count(*)::integer from picked) as counted,
       (select coalesce(json_agg(x), '[]') from (
         select n, sum(answers)::integer as answered, sum(count)::integer as values
         from grouped group by n) x) as answered,
       (select coalesce(json_agg(x order by x.rank), '[]') from (
         select n, key as value, count::integer, place::float8, row_number() over (
           partition by n order by key = any (choices) desc, count desc, key collate "C") as rank
         from grouped join questions using (n) where kind in ('choices', 'dates') and key is not null) x
       where x.rank <= ${maxValues}) as values,
       (select coalesce(json_agg(x), '[]') from (
         select n, total::integer as count, mean::float8, median::float8, low::float8 as min, high::float8 as max, buckets
         from steps join buckets using (n)) x) as numbers,
       (select coalesce(json_agg(json_build_object('n', n, 'submissionId', id::text, 'text', text) order by rank), '[]') from (
         select n, id, left(found[1], ${maxTextLength}) as text, row_number() over (partition by n order by id desc) as rank
         from (${foundIn('newest', members, `q.kind = 'texts'`)}) t where kind = 'texts' and btrim(found[1]) <> '') x
       where x.rank <= ${maxTexts}) as texts`,
    values,
  );
  return row!;
}

/** Marks what is read by its path instead of its row. */
const byPath = '.path';

const pathOf = ({ member, row }: AskedQuestion): string => (row === null ? member : `${member}.${row.value}`);

/** Returns whether the name of a question is a path, too, which filters read if there is no such member. */
const isPath = ({ member, row }: AskedQuestion): boolean => row === null && member.includes('.');

const questionOf = (question: AskedQuestion, n: number) => ({
  n,
  member: question.member,
  row: isPath(question) ? byPath : (question.row?.value ?? ''),
  path: pathOf(question),
  kind: question.kind,
  choices: [...question.choices.keys()],
});

/** What filters read of the answer to a question. */
const byFilter = `coalesce(
             to_json(case kind when 'numbers' then answer_number(s.json_data, path, string_to_array(path, '.')) end),
             array_to_json(answer_values(s.json_data, path, string_to_array(path, '.'))))`;

/**
 * Joins each submission `p` with its answers `m`: member, row and value. The usual ones are read in one pass,
 * what is odd by the functions of filters.
 */
function membersOf(
  asked: readonly AskedQuestion[],
  tenantId: string,
  parameter: (value: unknown) => string,
): string {
  const tenant = `${parameter(tenantId)}::bigint`;
  const inRows = asked.filter(({ row }) => row !== null);
  const tables = [...new Set(inRows.map(({ member }) => member))];
  // Text that stands before a member which a filter would read before the row of a table.
  const hidden = tables.map((member) => `${JSON.stringify(member).slice(0, -1)}.`);
  const isUsual = [
    'length(s.json_data) <= 4000',
    String.raw`strpos(s.json_data, '\u') = 0`,
    ...hidden.map((text) => `strpos(s.json_data, ${parameter(text)}::text) = 0`),
    's.json_data is json object with unique keys',
  ];
  const rows = () => `union all
         select t.member, r.key, r.value from unnest(${parameter(tables)}::text[]) t(member)
         cross join lateral (select s.plain -> t.member as found) x
         cross join lateral json_each(case json_typeof(x.found) when 'object' then x.found end) r where r.key <> ''`;
  const paths = `union all
         select member, "row", ${byFilter} from questions where s.plain is not null and "row" = '${byPath}'`;
  return `cross join lateral (
         select s.json_data, case when ${isUsual.join(' and ')} then s.json_data::json
           else plain_answers(s.json_data, ${parameter(inRows.map(pathOf))}::text[]) end as plain
         from submissions s where s.tenant_id = ${tenant} and s.id = p.id offset 0
       ) s
       cross join lateral (
         select key as member, '' as "row", value from json_each(s.plain)
         ${tables.length > 0 ? rows() : ''}
         union all
         select member, "row", ${byFilter} from questions where s.plain is null
         ${asked.some(isPath) ? paths : ''}
       ) m`;
}

/**
 * The texts that `answer_values` gives for each answer, each once. Where they do not matter, one empty text.
 */
const foundIn = (picked: string, members: string, isDecoded: string): string =>
  `select q.n, q.kind, p.id, json_typeof(m.value) as type, case json_typeof(m.value)
             when 'null' then '{}'
             when 'object' then case q.kind when 'answers' then '{""}'::text[] else '{}' end
             when 'array' then array(
               select e.value from json_array_elements_text(m.value) with ordinality e(value, place)
               where e.value is not null group by e.value order by min(e.place))
             else case when ${isDecoded} then array[m.value #>> '{}'] else '{""}' end end as found
           from ${picked} p ${members}
           join questions q on q.member = m.member and q."row" = m."row" where m.value is not null offset 0`;
