import { checkedQuestions, fruit, none } from './checked-questions';

/** Answers to forms with questions of all types, which the definition permits (good) or not (bad). */
export interface CheckCase {
  name: string;
  definition: { elements: object[] } & Record<string, unknown>;
  good: object[];
  bad: object[];
  beyond: object[];
}

const byQuestion: CheckCase[] = Object.entries(checkedQuestions).map(
  ([name, { question, good, bad, beyond = [] }]) => {
    const answers = (value: unknown) => ({ first: 'x', ...(value !== none && { q: value }) });
    return {
      name,
      definition: {
        elements: [
          { type: 'text', name: 'first' },
          { name: 'q', ...question },
        ],
      },
      good: good.map(answers),
      bad: bad.map(answers),
      beyond: beyond.map(answers),
    };
  },
);

/** Each question again inside of a panel that a choice shows. */
const inPanels: CheckCase[] = Object.entries(checkedQuestions).map(([name, { question, good, bad }]) => ({
  name: `${name}, in a panel that is shown`,
  definition: {
    elements: [
      { type: 'boolean', name: 'more' },
      { type: 'panel', name: 'p', visibleIf: '{more} = true', elements: [{ name: 'q', ...question }] },
    ],
  },
  good: [{ more: false }, {}, ...good.map((value) => ({ more: true, ...(value !== none && { q: value }) }))],
  bad: [
    ...bad.map((value) => ({ more: true, ...(value !== none && { q: value }) })),
    ...good.filter((value) => value !== none && value !== '').map((value) => ({ more: false, q: value })),
  ],
  beyond: [],
}));

const others: CheckCase[] = [
  {
    name: 'other with its comment',
    definition: { elements: [{ type: 'dropdown', name: 'q', choices: fruit, showOtherItem: true }] },
    good: [{ q: 'other', 'q-Comment': 'Kiwi' }, { q: 'apple' }, { q: 'pear' }],
    bad: [{ q: 'other' }, { q: 'apple', 'r-Comment': 'x' }],
    beyond: [],
  },
  {
    name: 'other as the value',
    definition: {
      elements: [
        { type: 'dropdown', name: 'q', choices: fruit, showOtherItem: true, storeOthersAsComment: false },
      ],
    },
    good: [{ q: 'Kiwi' }, { q: 'apple' }],
    bad: [],
    beyond: [],
  },
  {
    name: 'invisible answers that the form keeps',
    definition: {
      clearInvisibleValues: 'none',
      elements: [
        { type: 'text', name: 'a' },
        { type: 'text', name: 'b', visibleIf: '{a} = 1', isRequired: true },
      ],
    },
    good: [{ a: 2, b: 'x' }, { a: 1, b: 'x' }, {}],
    bad: [{ a: 1 }],
    beyond: [],
  },
  {
    name: 'calculated values, expressions and unknown members',
    definition: {
      calculatedValues: [{ name: 'sum', expression: '{a} + 1', includeIntoResult: true }],
      elements: [
        { type: 'text', name: 'a' },
        { type: 'expression', name: 'e', expression: '{a} * 2' },
      ],
    },
    good: [{ a: 2, e: 4, sum: 3 }, { a: 2 }],
    bad: [
      { a: 2, unknownQuestion: true },
      { a: 2, A: 3 },
    ],
    beyond: [],
  },
  {
    name: 'names of members of every object, and the name of the value',
    definition: {
      elements: [
        { type: 'text', name: 'constructor' },
        { type: 'text', name: 'a', valueName: 'toString' },
        { type: 'text', name: 'b', valueName: 'c' },
      ],
    },
    good: [{ constructor: 'x' }, { c: 'x' }],
    bad: [{ b: 'x' }, { hasOwnProperty: 'x' }],
    beyond: [],
  },
  {
    name: 'pages that a condition hides',
    definition: {
      elements: [],
      pages: [
        {
          name: 'p1',
          elements: [{ type: 'radiogroup', name: 'kind', choices: ['a', 'b'], isRequired: true }],
        },
        {
          name: 'p2',
          visibleIf: "{kind} = 'b'",
          elements: [{ type: 'text', name: 'why', isRequired: true }],
        },
      ],
    },
    good: [{ kind: 'a' }, { kind: 'b', why: 'x' }],
    bad: [{ kind: 'b' }, { kind: 'a', why: 'x' }, { why: 'x' }],
    beyond: [],
  },
];

export const checkCorpus: readonly CheckCase[] = [...byQuestion, ...inPanels, ...others];
