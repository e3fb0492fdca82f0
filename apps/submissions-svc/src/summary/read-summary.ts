import { notFound } from '@canvass/errors';
import { readBounded, type Database } from '@canvass/postgres';
import type { ReadListLabels } from '../list-labels';
import { type SubmissionFilter } from '../filters';
import { getFormDefinition } from '../submissions';
import { askedQuestions, type AskedQuestion } from './asked-questions';
import { summaryOf, type QuestionSummary } from './question-summary';
import { selectSummary, type SummaryRows } from './summary.sql';

/** The answers of a form by question. */
export interface FormSummary {
  formId: string;
  /** Submissions that match the filter. */
  total: number;
  /** Of those, the ones that were read; all numbers of the questions are of these. */
  counted: number;
  isExact: boolean;
  /** The number of submissions of which a sample was read; null: all were read. */
  sampledFrom: number | null;
  /** False: datalists-svc did not answer, and values of data lists have no label. */
  hasListLabels: boolean;
  questions: QuestionSummary[];
  /** Questions and rows beyond the first 200. */
  questionsLeftOut: number;
}

export interface SummaryDeps {
  db: Database;
  readListLabels: ReadListLabels;
}

/** Answers that are read, which keeps a summary near a second. */
const maxAnswers = 400_000;
/** Submissions that are read, however few questions the form has. */
const maxSubmissions = 30_000;
/** Submissions that are read, however many questions the form has. */
const minSubmissions = 3_000;

/**
 * Counts the answers of the submissions of a filter by question.
 *
 * @throws {Problem} `not_found` for the form, `query_too_broad` after 5 s
 */
export async function readSummary(
  { db, readListLabels }: SummaryDeps,
  filter: SubmissionFilter,
  locale: string,
): Promise<FormSummary> {
  const { tenantId, formId } = filter;
  const [form] = await db.query(getFormDefinition({ tenantId, formId }));
  if (!form) throw notFound('form', formId);
  const { asked, leftOut } = askedQuestions(form.definition, locale);
  const withTexts = asked.flatMap((question) => [question, ...otherText(question)]);
  const share = Math.floor(maxAnswers / Math.max(1, withTexts.length));
  const limit = Math.max(minSubmissions, Math.min(maxSubmissions, share));
  const advice = 'Choose a shorter range with from and to, or fewer filters.';
  const rows = await readBounded(db, advice, (tx) => selectSummary(tx, filter, withTexts, limit));
  const found = rowsByQuestion(rows);
  const lists = listValues(withTexts, rows);
  const labels =
    lists.size === 0 ? new Map() : await readListLabels({ tenantId, locale, lists }).catch(() => null);
  const isSample = rows.counted < rows.total;
  const summaries = withTexts.map((question, n) => ({ question, ...found(n) }));
  return {
    formId,
    total: rows.total,
    counted: rows.counted,
    isExact: !isSample,
    sampledFrom: isSample ? rows.total : null,
    hasListLabels: labels !== null,
    questions: summaries.flatMap(({ question, ...its }, n) => {
      if (!asked.includes(question)) return [];
      const texts = question.hasOther ? summaries[n + 1]!.texts : its.texts;
      const known = [...(labels?.get(question.list) ?? [])].map(
        ([value, { current }]) => [value, current] as const,
      );
      return [summaryOf(question, { ...its, texts }, question.list === '' ? undefined : new Map(known))];
    }),
    questionsLeftOut: leftOut,
  };
}

/** The text beside the choice `other`, as a question. */
const otherText = (question: AskedQuestion): AskedQuestion[] =>
  question.hasOther
    ? [
        {
          ...question,
          member: `${question.member}-Comment`,
          kind: 'texts',
          hasOther: false,
          choices: new Map(),
        },
      ]
    : [];

function rowsByQuestion({ counted: total, answered, values, numbers, texts }: SummaryRows) {
  return (n: number) => ({
    total,
    answered: answered.find((row) => row.n === n) ?? { answered: 0, values: 0 },
    values: values.filter((row) => row.n === n),
    numbers: numbers.find((row) => row.n === n),
    texts: texts.filter((row) => row.n === n),
  });
}

/** The values of data lists that may get a bar. */
function listValues(asked: readonly AskedQuestion[], { values }: SummaryRows): Map<string, Set<string>> {
  const lists = new Map<string, Set<string>>();
  asked.forEach(({ list, choices }, n) => {
    if (list === '') return;
    const ofList = lists.get(list) ?? new Set();
    const others = values.filter((row) => row.n === n && !choices.has(row.value));
    for (const { value } of others.slice(0, 20)) ofList.add(value);
    if (ofList.size > 0) lists.set(list, ofList);
  });
  return lists;
}
