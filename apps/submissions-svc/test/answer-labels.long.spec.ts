import { getLocaleString, Serializer, surveyLocalization, SurveyModel as Survey3 } from 'survey-core';
import { SurveyModel as Survey2 } from 'survey-core-2';
import 'survey-core-2/survey.i18n';
import 'survey-core/survey.i18n';
import { digitsOf } from '@canvass/json-numbers';
import { cellsOf } from '../src/answer-texts/answer-cells';
import { answerColumnsOf, columnNames } from '../src/answer-texts/answer-columns';
import { wordsOf } from '../src/answer-texts/survey-words';
import { surveyCorpus, type SurveyCase } from './survey-corpus';
import { reportedCorpus } from './survey-corpus-reports';
import { tableCorpus } from './survey-corpus-tables';
import { textCorpus } from './survey-corpus-texts';
import { writtenBy, type Written } from './survey-oracle';

const corpus = [...surveyCorpus, ...textCorpus, ...tableCorpus, ...reportedCorpus].map(
  (example) => [example.name, example] as const,
);

type Cells = Record<string, unknown>;

/** The cells of an export that are not empty, by column. */
function exported({ elements, data, locale }: SurveyCase, written: Written): Cells {
  const columns = answerColumnsOf({ elements }, written === 'value' ? null : (locale ?? ''));
  const names = [...columns.flatMap(columnNames), 'otherAnswers'];
  const cells = cellsOf(JSON.stringify(data), columns);
  expect(cells).toHaveLength(names.length);
  return Object.fromEntries(names.map((name, n) => [name, cells[n]!]).filter(([, cell]) => cell !== ''));
}

/** Cells as text, but those of comments and of other answers. */
const texts = (cells: Cells, without: readonly string[] = []): Cells =>
  Object.fromEntries(
    Object.entries(cells)
      .filter(([name]) => !name.endsWith('-Comment') && name !== 'otherAnswers' && !without.includes(name))
      .map(([name, cell]) => [
        name,
        digitsOf(cell) ?? (typeof cell === 'object' ? JSON.stringify(cell) : String(cell)),
      ]),
  );

describe.each([
  ['2', Survey2 as unknown as typeof Survey3],
  ['3', Survey3],
])('cells of answers are those of survey-core %s', (_version, Survey) => {
  it.each(corpus)('by label: %s', (_name, example) => {
    const { cells, notOf } = { notOf: [], ...example.differs };
    const written = { ...writtenBy(Survey, example, 'displayValue'), ...cells };
    expect(texts(exported(example, 'displayValue'))).toEqual(texts(written, notOf));
  });

  it.each(corpus.filter(([, { differs }]) => differs))('differ indeed: %s', (_name, example) => {
    const written = texts(writtenBy(Survey, example, 'displayValue'));
    for (const [name, cell] of Object.entries(example.differs!.cells))
      expect(written[name]).not.toEqual(cell);
  });
});

it('by value are those of survey-core', () => {
  for (const [name, example] of corpus) {
    const { values, notOf } = { notOf: [], ...example.differs };
    const written = { ...writtenBy(Survey3, example, 'value'), ...values };
    expect([name, texts(exported(example, 'value'))]).toEqual([name, texts(written, notOf)]);
  }
});

it('are values where choices are carried in a circle', () => {
  const elements = ['a', 'b'].map((name, n) => ({
    type: 'dropdown',
    name,
    choicesFromQuestion: n === 0 ? 'b' : 'a',
  }));
  const example = { name: '', elements, data: { a: 'x', b: 'y' } };
  expect(exported(example, 'displayValue')).toEqual({ a: 'x', b: 'y' });
});

it('are tried for every type of question and cell', () => {
  const text = JSON.stringify(corpus);
  const types = Serializer.getChildrenClasses('question', true).map(({ name }) => name);
  expect(types.filter((type) => !text.includes(`"${type}"`))).toEqual([
    'matrixdropdownbase',
    'textbase',
    'nonvalue',
    'empty',
  ]);
});

it('have the words of survey-core', () => {
  const names = {
    yes: 'booleanCheckedLabel',
    no: 'booleanUncheckedLabel',
    none: 'noneItemText',
    refused: 'refuseItemText',
    dontknow: 'dontKnowItemText',
    other: 'otherItemText',
  };
  const locales = Object.keys(surveyLocalization.locales);
  expect(locales.length).toBeGreaterThan(50);
  for (const locale of locales) {
    const written = Object.entries(names).map(([name, key]) => [name, getLocaleString(key, locale)]);
    expect([locale, wordsOf([locale.toLowerCase()])]).toEqual([locale, Object.fromEntries(written)]);
  }
});
