import fc from 'fast-check';
import { SurveyModel } from 'survey-core';
import 'survey-core/survey.i18n';
import { cellsOf } from '../src/answer-texts/answer-cells';
import { answerColumnsOf, columnNames } from '../src/answer-texts/answer-columns';
import { answerTexts } from '../src/answer-texts/answer-texts';
import type { SurveyCase } from './survey-corpus';
import { writtenBy } from './survey-oracle';

/** Labels of answers to random forms are those of survey-core. */

const word = fc.constantFrom('ada', 'bo', 'zoë', 'Ünal', 'x|y', '7', '1.50', 'null', 'true');
const text = fc.oneof(word, fc.record({ default: word, de: word }));
const value = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom('a', 'b', 'c', 'd', 'e f'));
const choice = fc.oneof(value, fc.record({ value, text }));
const valueOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? (item as { value: unknown }).value : item;
const items = fc.uniqueArray(choice, {
  minLength: 1,
  maxLength: 5,
  selector: (item) => String(valueOf(item)),
});

interface Asked {
  question: Record<string, unknown>;
  answer: unknown;
}

const one = (type: string): fc.Arbitrary<Asked> =>
  items.chain((choices) =>
    fc.constantFrom(...choices.map(valueOf)).map((answer) => ({ question: { type, choices }, answer })),
  );
/** A ranking has all choices. */
const several = (type: string): fc.Arbitrary<Asked> =>
  items.chain((choices) =>
    fc
      .shuffledSubarray(choices.map(valueOf), { minLength: type === 'ranking' ? choices.length : 1 })
      .map((answer) => ({
        question: { type, choices },
        answer,
      })),
  );
const yesNo: fc.Arbitrary<Asked> = fc
  .record({ labelTrue: text, labelFalse: text })
  .chain((labels) => fc.boolean().map((answer) => ({ question: { type: 'boolean', ...labels }, answer })));
const matrix: fc.Arbitrary<Asked> = fc.tuple(items, items).chain(([rows, columns]) =>
  fc
    .array(fc.constantFrom(...columns.map(valueOf)), { minLength: rows.length, maxLength: rows.length })
    .map((cells) => ({
      question: { type: 'matrix', rows, columns },
      answer: Object.fromEntries(rows.map((row, n) => [String(valueOf(row)), cells[n]])),
    })),
);
const panel: fc.Arbitrary<Asked> = fc.array(one('dropdown'), { minLength: 1, maxLength: 3 }).map((inner) => ({
  question: {
    type: 'paneldynamic',
    templateElements: inner.map(({ question }, n) => ({ ...question, name: `p${n}` })),
  },
  answer: [Object.fromEntries(inner.map(({ answer }, n) => [`p${n}`, answer]))],
}));
const asked = fc.oneof(
  one('dropdown'),
  one('radiogroup'),
  several('checkbox'),
  several('tagbox'),
  several('ranking'),
  yesNo,
  matrix,
  panel,
  word.map((answer) => ({ question: { type: 'text' }, answer })),
);

const form: fc.Arbitrary<SurveyCase> = fc
  .tuple(fc.array(asked, { minLength: 1, maxLength: 6 }), fc.constantFrom('', 'de', 'de-AT', 'fr'))
  .map(([all, locale]) => ({
    name: 'random',
    elements: all.map(({ question }, n) => ({ ...question, name: `q${n}` })),
    data: Object.fromEntries(all.map(({ answer }, n) => [`q${n}`, answer])),
    locale,
  })) as fc.Arbitrary<SurveyCase>;

it('in cells of an export', () => {
  fc.assert(
    fc.property(form, (example) => {
      const columns = answerColumnsOf({ elements: example.elements }, example.locale ?? '');
      const cells = cellsOf(JSON.stringify(example.data), columns);
      const names = columns.flatMap(columnNames);
      const written = Object.fromEntries(names.map((name, n) => [name, String(cells[n])]));
      const expected = Object.entries(writtenBy(SurveyModel, example, 'displayValue'));
      expect(written).toEqual(Object.fromEntries(expected.map(([name, cell]) => [name, String(cell)])));
    }),
    { numRuns: 300 },
  );
});

it('in texts for people: each answer has its question, and its labels', () => {
  fc.assert(
    fc.property(form, (example) => {
      const columns = answerColumnsOf({ elements: example.elements }, example.locale ?? '');
      const texts = answerTexts(JSON.stringify(example.data), columns, () => undefined)!;
      expect(texts.map(({ name }) => name)).toEqual(Object.keys(example.data));
      const survey = new SurveyModel({ elements: example.elements });
      survey.locale = example.locale ?? '';
      survey.data = JSON.parse(JSON.stringify(example.data)) as object;
      for (const { name, type, text: shown } of texts) {
        const question = survey.getQuestionByName(name);
        if (type === 'matrix' || type === 'paneldynamic') continue;
        expect([name, shown]).toEqual([name, String(question.getDisplayValue(false))]);
      }
    }),
    { numRuns: 300 },
  );
});
