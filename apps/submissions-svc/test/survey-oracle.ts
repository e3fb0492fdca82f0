import type { SurveyModel } from 'survey-core';
import type { SurveyCase } from './survey-corpus';

/** A question, a row or a choice in `getPlainData`, with what SurveyJS calls an answer. */
interface Plain {
  name: string | number;
  value: unknown;
  displayValue: unknown;
  questionType?: string;
  isComment?: boolean;
  data?: Plain[];
}

type Cells = Record<string, unknown>;

/** Values or labels. */
export type Written = 'value' | 'displayValue';

/** The cells that SurveyJS would write, by column without the prefix. */
export function writtenBy(Survey: typeof SurveyModel, example: SurveyCase, written: Written): Cells {
  const survey = new Survey({ elements: example.elements });
  survey.locale = example.locale ?? '';
  // A copy: survey-core changes it. structuredClone makes objects that survey-core does not know in Jest.
  survey.data = JSON.parse(JSON.stringify(example.data)) as object;
  expect(survey.jsonErrors ?? []).toEqual([]);
  const cells = survey
    .getPlainData({ includeEmpty: false, includeQuestionTypes: true })
    .map((question) => ({
      ...(question as Plain),
      // Those of plain data are by title.
      displayValue: survey.getQuestionByName(String(question.name)).getDisplayValue(false) as unknown,
    }))
    .map((question) => cellsOf(question, written));
  return Object.assign({}, ...cells) as Cells;
}

function cellsOf(question: Plain, written: Written): Cells {
  const { name, questionType, data = [] } = question;
  const rows = data.filter(({ isComment }) => !isComment);
  switch (questionType) {
    case 'matrix':
      return named(rows.map((row) => [`${name}.${row.name}`, row[written]]));
    case 'multipletext':
      return named(
        Object.entries(question[written] as object).map(([item, text]) => [`${name}.${item}`, text]),
      );
    case 'matrixdropdown':
      return named(
        rows.flatMap((row) =>
          row.data!.map((cell) => [`${name}.${row.name}.${cell.name}`, textOf(cell, written)]),
        ),
      );
    case 'matrixdynamic':
    case 'paneldynamic': {
      const cells = rows.map((row) => row.data!);
      const columns = new Set(cells.flat().map((cell) => cell.name));
      return named(
        [...columns].map((column) => [
          `${name}.${column}`,
          joined(cells.map((row) => textIn(row, column, written))),
        ]),
      );
    }
    default:
      return { [name]: textOf(question, written) };
  }
}

const named = (entries: unknown[][]): Cells => Object.fromEntries(entries) as Cells;

/** The value of a file is its content, which no column has. */
const choicesOf = ({ value, data = [], questionType }: Plain, written: Written): unknown[] | null =>
  Array.isArray(value) && data.length > 0
    ? data
        .filter(({ isComment }) => !isComment)
        .map((item) => item[questionType === 'file' ? 'displayValue' : written])
    : null;

/** Of a question outside of tables whose rows a respondent adds. */
function textOf(question: Plain, written: Written): unknown {
  const choices = choicesOf(question, written);
  return choices ? joined(choices.map(jsonOf)) : question[written];
}

function textIn(row: Plain[], column: string | number, written: Written): string {
  const cell = row.find(({ name }) => name === column);
  if (cell === undefined) return '';
  return jsonOf(nests(cell) ? cell[written] : (choicesOf(cell, written) ?? cell[written]));
}

const jsonOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

const nests = ({ questionType = '' }: Plain) => /^matrix|^paneldynamic$|^multipletext$/.test(questionType);

const joined = (texts: string[]) => texts.map((text) => text.replaceAll(/[\\|]/g, '\\$&')).join('|');
