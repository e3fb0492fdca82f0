import type { Queryable } from '@canvass/postgres';
import type { ReadListLabels } from '../list-labels';
import { cellsOf, type Cell, type ListText } from './answer-cells';
import { answerColumnsOf, type AnswerColumns } from './answer-columns';
import { answerTexts, type AnswerText } from './answer-texts';
import { createColumnsAt, withLabelsOf } from './form-columns';
import { createListTexts, type ListValues } from './list-texts';

/** The answers of one submission. */
export interface StoredAnswers {
  jsonData: string;
  /** When they were given (ISO), which decides on the version of form and lists. */
  at: string;
}

/** SQL expression over the submission `s`: when its answers were given. */
export const answeredAt = 'api_time(coalesce(s.completed_at, s.modified_at))';

/** The form whose answers are read. */
export interface AnsweredForm {
  tenantId: string;
  formId: string;
  /** The present definition (SurveyJS). */
  definition: unknown;
  /** The locale of the labels of choices; null for their values. */
  locale: string | null;
}

export interface AnswerSources {
  db: Queryable;
  readListLabels: ReadListLabels;
}

/** Reads answers with the labels of the time at which they were given. */
export interface AnswersReader {
  /** Of the present form. */
  columns: readonly AnswerColumns[];
  /**
   * The cells of the columns and of other answers, by submission.
   *
   * @throws {Problem} `service_unavailable` if datalists-svc does not answer
   */
  cellsOf(answers: readonly StoredAnswers[]): Promise<Cell[][]>;
  /** Texts by the questions of the time, by submission; without labels of lists if they are not available. */
  textsOf(answers: readonly StoredAnswers[]): Promise<{ texts: TextsOfForm[]; hasListLabels: boolean }>;
}

/** The texts of a submission. */
export interface TextsOfForm {
  /** Null: the answers are no JSON object. */
  answers: AnswerText[] | null;
  /** Returns whether the present form has other questions than that of the time. */
  hasFormChanged: boolean;
}

/** Data lists are asked once for all submissions of a call. */
export function createAnswersReader(
  { db, readListLabels }: AnswerSources,
  { tenantId, formId, definition, locale }: AnsweredForm,
): AnswersReader {
  const columns = answerColumnsOf(definition, locale);
  const shown = locale ?? '';
  const columnsAt = createColumnsAt(db, { tenantId, formId, locale: shown }, columns);
  const lists = createListTexts(readListLabels, { tenantId, locale: shown });

  const columnsOf = async (answers: readonly StoredAnswers[]) => {
    const found: (StoredAnswers & { columns: readonly AnswerColumns[] })[] = [];
    for (const answer of answers) found.push({ ...answer, columns: await columnsAt(answer.at) });
    return found;
  };
  return {
    columns,
    async cellsOf(answers) {
      if (locale === null) return answers.map(({ jsonData }) => cellsOf(jsonData, columns));
      const aligned = new Map<readonly AnswerColumns[], readonly AnswerColumns[]>();
      const rows = (await columnsOf(answers)).map((row) => {
        const its = aligned.get(row.columns) ?? withLabelsOf(columns, row.columns);
        aligned.set(row.columns, its);
        return { ...row, columns: its };
      });
      await lists.load(listValuesOf(rows));
      return rows.map((row) => cellsOf(row.jsonData, row.columns, lists.textAt(row.at)));
    },
    async textsOf(answers) {
      const rows = await columnsOf(answers);
      const hasListLabels = await lists.load(listValuesOf(rows)).then(
        () => true,
        () => false,
      );
      const texts = rows.map((row) => ({
        answers: answerTexts(row.jsonData, row.columns, lists.textAt(row.at)),
        hasFormChanged: row.columns !== columns,
      }));
      return { texts, hasListLabels };
    },
  };
}

/** The values of data lists in answers. */
function listValuesOf(rows: readonly (StoredAnswers & { columns: readonly AnswerColumns[] })[]): ListValues {
  const values: ListValues = new Map();
  const collect: ListText = (list, value) => {
    const ofList = values.get(list) ?? new Set();
    values.set(list, ofList.add(value));
    return undefined;
  };
  for (const { jsonData, columns } of rows) if (hasLists(columns)) cellsOf(jsonData, columns, collect);
  return values;
}

const hasLists = (columns: readonly AnswerColumns[]): boolean =>
  columns.some((answer) => answer.columns.some(({ kind }) => namesList(kind)));

const namesList = ({ list, members, row }: AnswerColumns['columns'][number]['kind']): boolean =>
  list !== '' || (row !== null && namesList(row)) || [...members.values()].some(namesList);
