import fc from 'fast-check';
import { SurveyModel, type ItemValue, type Question, type QuestionMatrixModel } from 'survey-core';
import { startHarness, tenantOf, type Harness } from './harness';
import { followed, storeAll, summaryOf } from './summary-calls';

/** Summaries of random forms and answers against the values that SurveyJS has for them. */

let test: Harness;
beforeAll(async () => void (test = await startHarness()));
afterAll(() => test.close());

// SurveyJS takes a bar within a choice for the border of its value and its text.
const offered = ['a', 'b', 'c d', 'é', 'null', '0'];
const value = fc.constantFrom(...offered, 'x|y', 'former');
const choices = fc.uniqueArray(fc.constantFrom(...offered), { minLength: 1, maxLength: 5 });
const some = fc.uniqueArray(value, { minLength: 1, maxLength: 4 });

/** A question, and its answers; undefined: it was skipped. */
const shapes = [
  choices.map((of) => ({ question: { type: 'radiogroup', choices: of }, answer: value })),
  choices.map((of) => ({ question: { type: 'dropdown', choices: of }, answer: value })),
  choices.map((of) => ({ question: { type: 'checkbox', choices: of }, answer: some })),
  choices.map((of) => ({ question: { type: 'tagbox', choices: of }, answer: some })),
  choices.map((of) => ({ question: { type: 'radiogroup', choices: of }, answer: value })),
  fc.constant({ question: { type: 'boolean' }, answer: fc.boolean() }),
  fc
    .record({ rateMin: fc.integer({ min: 0, max: 2 }), rateMax: fc.integer({ min: 3, max: 10 }) })
    .map((rates) => ({
      question: { type: 'rating', ...rates },
      answer: fc.integer({ min: rates.rateMin, max: rates.rateMax }),
    })),
  fc.record({ rows: choices, columns: choices }).map((of) => ({
    question: { type: 'matrix', ...of },
    answer: fc.dictionary(fc.constantFrom(...of.rows), fc.constantFrom(...of.columns), { minKeys: 1 }),
  })),
  fc.constant({
    question: { type: 'text', inputType: 'number' },
    answer: fc.oneof(
      fc.integer({ min: -500, max: 10_000 }),
      fc.integer({ min: -500, max: 500 }).map((cents) => cents / 100),
    ),
  }),
  fc.constant({
    question: { type: 'comment' },
    answer: fc.constantFrom('Hello', 'Naïve\n"words" \\ signs'),
  }),
];

const survey = fc.array(fc.oneof(...shapes), { minLength: 1, maxLength: 8 }).chain((parts) =>
  fc.record({
    elements: fc.constant(parts.map(({ question }, n) => ({ ...question, name: `q${n}` }))),
    answers: fc.array(
      fc.record(
        Object.fromEntries(parts.map(({ answer }, n) => [`q${n}`, answer as fc.Arbitrary<unknown>])),
        { requiredKeys: [] },
      ),
      { minLength: 1, maxLength: 25 },
    ),
  }),
);

interface Counted {
  name: string;
  row: string | null;
  /** Values of all answers; several of one answer stand in a list. */
  values: unknown[][];
  choices: string[];
}

/** What SurveyJS says that was answered. */
function countedBySurvey(elements: object[], answers: readonly object[]): Counted[] {
  const model = new SurveyModel({ elements });
  const columns = (items: ItemValue[]) => items.map((item) => String(item.value));
  const counted = model.getAllQuestions().flatMap((question: Question): Counted[] => {
    const { name } = question;
    if (question.getType() === 'matrix') {
      const matrix = question as QuestionMatrixModel;
      return columns(matrix.rows).map((row) => ({ name, row, values: [], choices: columns(matrix.columns) }));
    }
    const { choices: ofChoices = [], visibleRateValues: rates = [] } = question as unknown as Record<
      string,
      ItemValue[] | undefined
    >;
    const type = question.getType();
    const items = type === 'boolean' ? ['false', 'true'] : columns(type === 'rating' ? rates : ofChoices);
    return [{ name, row: null, values: [], choices: items }];
  });
  for (const answer of answers) {
    model.data = JSON.parse(JSON.stringify(answer)) as object;
    for (const { name, row, values } of counted) {
      const question = model.getQuestionByName(name);
      const given = (row === null ? question.value : question.value?.[row]) as unknown;
      if (given !== undefined && !question.isEmpty()) values.push([given].flat());
    }
  }
  return counted;
}

it('has the counts of SurveyJS and of the grid', async () => {
  const tenant = tenantOf(test);
  await fc.assert(
    fc.asyncProperty(survey, async ({ elements, answers }) => {
      const formId = await tenant.form({ definition: { elements } });
      await storeAll(
        test,
        tenant,
        formId,
        answers.map((answer) => JSON.stringify(answer)),
      );
      const { questions, total } = await summaryOf(tenant, formId);
      expect(total).toBe(answers.length);
      const expected = countedBySurvey(elements, answers);
      expect(questions.map(({ name, row }) => [name, row?.value ?? null])).toEqual(
        expected.map(({ name, row }) => [name, row]),
      );
      for (const [n, one] of questions.entries()) {
        const { values, choices: offered } = expected[n]!;
        expect([one.name, one.answered, one.skipped]).toEqual([
          one.name,
          values.length,
          total - values.length,
        ]);
        const grid = await followed(tenant, formId, one);
        if (one.kind === 'numbers') {
          const numbers = values.flat() as number[];
          expect(one.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(numbers.length);
          expect(one.numbers?.mean ?? 0).toBeCloseTo(
            numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length),
          );
          expect(one.numbers?.median ?? 0).toBeCloseTo(medianOf(numbers));
        }
        if (one.kind !== 'choices') continue;
        const all = [...new Set([...offered, ...values.flat().map(String)])];
        const count = (of: string) => values.filter((given) => given.map(String).includes(of)).length;
        expect(Object.fromEntries(one.bars.map((bar) => [bar.value, [bar.count, bar.isChoice]]))).toEqual(
          Object.fromEntries(all.map((of) => [of, [count(of), offered.includes(of)]])),
        );
        expect([grid.bars, grid.skipped]).toEqual([one.bars.map((bar) => bar.count), one.skipped]);
      }
    }),
    { numRuns: 15 },
  );
});

function medianOf(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}
