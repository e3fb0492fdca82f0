/** A form with answers, as the form runtime stores them. */
export interface SurveyCase {
  name: string;
  elements: object[];
  data: Record<string, unknown>;
  locale?: string;
  /** What differs from SurveyJS on purpose. */
  differs?: {
    why: string;
    /** Labels by column. */
    cells: Record<string, string | number>;
    /** Values by column. */
    values?: Record<string, string>;
    /** Its columns that an export does not have. */
    notOf?: string[];
  };
}

const yesNo = [
  { value: 1, text: { default: 'Yes please', de: 'Ja bitte' } },
  { value: 0, text: 'No thanks' },
];
const fruit = [{ value: 'a', text: 'Apple' }, { value: 'b', text: 'Pear|Quince' }, 'c'];

/** Questions of SurveyJS 3 with the options that have an effect on what an answer is called. */
export const surveyCorpus: SurveyCase[] = [
  ...['dropdown', 'radiogroup', 'buttongroup'].map((type) => ({
    name: `${type}: a choice, a bare value, an unknown value`,
    elements: ['x', 'y', 'z'].map((name) => ({ type, name, choices: fruit })),
    data: { x: 'a', y: 'c', z: 'unknown' },
  })),
  ...['checkbox', 'tagbox', 'ranking'].map((type) => ({
    name: `${type}: several choices`,
    elements: [{ type, name: 'x', choices: fruit }],
    data: { x: ['b', 'a', 'c'] },
  })),
  {
    name: 'ranking of selected items',
    elements: [{ type: 'ranking', name: 'x', choices: fruit, selectToRankEnabled: true }],
    data: { x: ['b'] },
  },
  {
    name: 'imagepicker: one and several',
    elements: [
      { type: 'imagepicker', name: 'x', choices: [{ value: 'l', text: 'Lion', imageLink: 'l.png' }, 'm'] },
      { type: 'imagepicker', name: 'y', multiSelect: true, choices: [{ value: 'l', text: 'Lion' }, 'm'] },
    ],
    data: { x: 'l', y: ['m', 'l'] },
  },
  {
    name: 'numbers and booleans as values of choices',
    elements: [
      { type: 'dropdown', name: 'x', choices: yesNo },
      {
        type: 'radiogroup',
        name: 'y',
        choices: [
          { value: true, text: 'On' },
          { value: false, text: 'Off' },
        ],
      },
    ],
    data: { x: 0, y: false },
  },
  {
    name: 'special items with words of the form',
    elements: ['refused', 'dontknow', 'none'].map((_value, n) => ({
      type: n === 0 ? 'checkbox' : 'dropdown',
      name: `q${n}`,
      choices: fruit,
      showNoneItem: true,
      noneText: 'Nothing',
      showRefuseItem: true,
      refuseText: { default: 'Will not say', de: 'Sage ich nicht' },
      showDontKnowItem: true,
      dontKnowText: 'No idea',
    })),
    data: { q0: ['refused'], q1: 'dontknow', q2: 'none' },
    locale: 'de',
  },
  ...['', 'de', 'fr', 'pt-br', 'xx'].map((locale) => ({
    name: `special items and booleans with words of SurveyJS in "${locale}"`,
    elements: [
      ...['a', 'b', 'c', 'd'].map((name) => ({
        type: 'radiogroup',
        name,
        choices: fruit,
        showNoneItem: true,
        showRefuseItem: true,
        showDontKnowItem: true,
        showOtherItem: true,
      })),
      { type: 'boolean', name: 'e' },
      { type: 'boolean', name: 'f' },
    ],
    data: { a: 'none', b: 'refused', c: 'dontknow', d: 'other', e: true, f: false },
    locale,
  })),
  {
    name: 'older names of properties',
    elements: [{ type: 'dropdown', name: 'x', choices: fruit, hasNone: true, noneText: 'Nothing' }],
    data: { x: 'none' },
  },
  {
    name: 'other: its comment, its text without one, and its value without a comment',
    elements: [
      { type: 'dropdown', name: 'x', choices: fruit, showOtherItem: true, otherText: 'Something else' },
      { type: 'checkbox', name: 'y', choices: fruit, showOtherItem: true },
      { type: 'dropdown', name: 'z', choices: fruit, showOtherItem: true, otherText: 'Something else' },
      { type: 'dropdown', name: 'w', choices: ['other', { value: 'v', text: 'Vee' }] },
    ],
    data: { x: 'other', 'x-Comment': 'Fig', y: ['a', 'other'], 'y-Comment': 'Kiwi', z: 'other', w: 'other' },
    differs: {
      why: 'a choice of the form is not the other item, which it does not show',
      cells: { w: 'other' },
    },
  },
  {
    name: 'other that is stored as the value',
    elements: [
      { type: 'dropdown', name: 'x', choices: fruit, showOtherItem: true, storeOthersAsComment: false },
      { type: 'checkbox', name: 'y', choices: fruit, showOtherItem: true, storeOthersAsComment: false },
    ],
    data: { x: 'Fig', y: ['a', 'Kiwi'] },
  },
  {
    name: 'a comment beside an answer',
    elements: [
      { type: 'dropdown', name: 'x', choices: fruit, showCommentArea: true },
      { type: 'rating', name: 'y', showCommentArea: true },
    ],
    data: { x: 'a', 'x-Comment': 'why', y: 3, 'y-Comment': 'so' },
  },
  {
    name: 'select all is each of its items',
    elements: [
      { type: 'checkbox', name: 'x', choices: fruit, showSelectAllItem: true, selectAllText: 'All' },
    ],
    data: { x: ['a', 'b', 'c'] },
  },
  {
    name: 'boolean: its values and its labels',
    elements: [
      { type: 'boolean', name: 'x', labelTrue: { default: 'I agree', de: 'Stimme zu' }, labelFalse: 'Never' },
      { type: 'boolean', name: 'y', valueTrue: 'yes', valueFalse: 'no', labelTrue: 'I agree' },
      { type: 'boolean', name: 'z', valueTrue: 1, valueFalse: 0, labelFalse: 'Never' },
    ],
    data: { x: true, y: 'yes', z: 0 },
    locale: 'de',
  },
  {
    name: 'rating: plain, with texts, of several kinds',
    elements: [
      { type: 'rating', name: 'x', rateMax: 10 },
      { type: 'rating', name: 'y', rateValues: [{ value: 1, text: 'Bad' }, { value: 2, text: 'Good' }, 3] },
      { type: 'rating', name: 'z', rateType: 'smileys', rateValues: [1, { value: 2, text: ':-)' }] },
      { type: 'rating', name: 'w', minRateDescription: 'Worst', displayRateDescriptionsAsExtremeItems: true },
    ],
    data: { x: 7, y: 2, z: 2, w: 1 },
  },
  {
    name: 'texts, dates, numbers, comments and sliders as they are',
    elements: [
      { type: 'text', name: 'x' },
      { type: 'text', name: 'd', inputType: 'date' },
      { type: 'text', name: 'n', inputType: 'number' },
      { type: 'comment', name: 'c' },
      { type: 'slider', name: 's' },
      { type: 'slider', name: 'r', sliderType: 'range' },
      { type: 'html', name: 'h', html: 'x' },
      { type: 'image', name: 'i', imageLink: 'x.png' },
    ],
    data: { x: 'a', d: '2026-11-28', n: 1.5, c: 'line 1\nline 2', s: 30, r: [10, 20] },
    differs: {
      why: 'two values of a slider are separated as several choices are',
      cells: { r: '10|20' },
      values: { r: '10|20' },
    },
  },
  {
    name: 'masked texts and expressions keep their value',
    elements: [
      { type: 'text', name: 'm', maskType: 'numeric' },
      { type: 'text', name: 'n', inputType: 'number' },
      { type: 'expression', name: 'e', expression: '{n} * 2', displayStyle: 'currency', currency: 'EUR' },
    ],
    data: { m: 1234.5, n: 2, e: 4 },
    differs: { why: 'spreadsheets calculate with numbers, and format them', cells: { m: 1234.5, e: 4 } },
  },
  {
    name: 'carried choices: of another question, of a chain, and of what respondents typed',
    elements: [
      { type: 'checkbox', name: 'brands', choices: fruit, showOtherItem: true },
      { type: 'dropdown', name: 'x', choicesFromQuestion: 'brands' },
      { type: 'dropdown', name: 'y', choicesFromQuestion: 'x' },
      { type: 'tagbox', name: 'z', choicesFromQuestion: 'brands', choicesFromQuestionMode: 'selected' },
      {
        type: 'paneldynamic',
        name: 'people',
        templateElements: [
          { type: 'text', name: 'id' },
          { type: 'text', name: 'who' },
        ],
      },
      {
        type: 'checkbox',
        name: 'best',
        choicesFromQuestion: 'people',
        choiceValuesFromQuestion: 'id',
        choiceTextsFromQuestion: 'who',
      },
    ],
    data: {
      brands: ['a', 'b'],
      x: 'a',
      y: 'b',
      z: ['a'],
      people: [
        { id: 1, who: 'Ada' },
        { id: 2, who: 'Max' },
      ],
      best: [2, 1],
    },
  },
  {
    name: 'a carried choice that is the text of other',
    elements: [
      { type: 'checkbox', name: 'brands', choices: fruit, showOtherItem: true },
      { type: 'checkbox', name: 'x', choicesFromQuestion: 'brands', choicesFromQuestionMode: 'selected' },
    ],
    data: { brands: ['a', 'other'], 'brands-Comment': 'Fig', x: ['a', 'other'] },
  },
];
