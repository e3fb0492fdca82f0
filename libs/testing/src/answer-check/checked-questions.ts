type Value = unknown;

/** A question `q` with values: permitted, refused by survey-core, and such as no control of a page enters. */
export interface QuestionCase {
  question: Record<string, unknown>;
  good: Value[];
  bad: Value[];
  /** survey-core does not look at these when they are loaded. */
  beyond?: Value[];
}

export const fruit = ['apple', { value: 'fig', text: 'Fig' }, 3];
export const none = undefined;

export const checkedQuestions: Record<string, QuestionCase> = {
  text: {
    question: { type: 'text', isRequired: true },
    good: ['a', 'ü', '0', 'a b'],
    bad: [none, '', null],
    beyond: [{ a: 1 }, ['a']],
  },
  'text of a length': {
    question: { type: 'text', validators: [{ type: 'text', minLength: 2, maxLength: 4 }] },
    good: ['ab', 'abcd', none, ''],
    bad: ['a', 'abcde', 'abcdefg'],
  },
  'text at most': {
    question: { type: 'text', maxLength: 3 },
    good: ['a', 'abc', none],
    bad: [],
    beyond: ['abcd'],
  },
  pattern: {
    question: { type: 'text', validators: [{ type: 'regex', regex: '^[A-Z]{2}-\\d+$' }] },
    good: ['NO-1', 'DE-234', none],
    bad: ['no-1', 'NO1', 'NO-'],
  },
  'e-mail': {
    question: { type: 'text', inputType: 'email' },
    good: ['a@b.org', 'x.y@sub.example.com', none],
    bad: ['a', 'a@', '@b.org'],
  },
  number: {
    question: { type: 'text', inputType: 'number', isRequired: true, min: 1, max: 120 },
    good: [1, 120, 50.5, 7],
    bad: [0, 121, -3, 1e9, none],
    beyond: ['abc', true, [1]],
  },
  'number by validator': {
    question: { type: 'text', validators: [{ type: 'numeric', minValue: 10, maxValue: 20 }] },
    good: [10, 15, '20', none],
    bad: [9, 21, 'x'],
  },
  date: {
    question: { type: 'text', inputType: 'date', min: '2026-01-01', max: '2026-12-31' },
    good: ['2026-01-01', '2026-06-30', '2026-12-31', none],
    bad: ['2025-12-31', '2027-01-01', '1999-09-09', 5],
    beyond: ['nix', '2026-13-01'],
  },
  time: {
    question: { type: 'text', inputType: 'time' },
    good: ['00:00', '23:59', '12:30:15', none],
    bad: [],
    beyond: ['24:00', 'noon'],
  },
  month: {
    question: { type: 'text', inputType: 'month' },
    good: ['2026-01', '2026-12'],
    bad: [],
    beyond: ['2026-13', 'May'],
  },
  colour: {
    question: { type: 'text', inputType: 'color' },
    good: ['#ff0000', '#AABBCC'],
    bad: [],
    beyond: ['red'],
  },
  expression: {
    question: { type: 'text', validators: [{ type: 'expression', expression: '{q} > 5' }] },
    good: [6, 100, '7'],
    bad: [5, 1, -1],
  },
  comment: {
    question: { type: 'comment', isRequired: true },
    good: ['a', 'line 1\nline 2', ' x '],
    bad: [none, ''],
    beyond: [['a']],
  },
  boolean: {
    question: { type: 'boolean', isRequired: true },
    good: [true, false],
    bad: [none, null],
    beyond: ['nix', 1],
  },
  'boolean of words': {
    question: { type: 'boolean', valueTrue: 'yes', valueFalse: 'no' },
    good: ['yes', 'no', none],
    bad: [],
    beyond: ['maybe', true],
  },
  radiogroup: {
    question: { type: 'radiogroup', choices: fruit, isRequired: true },
    good: ['apple', 'fig', 3],
    bad: ['pear', 4, none, '', 'Fig'],
  },
  dropdown: {
    question: { type: 'dropdown', choices: fruit },
    good: ['apple', 'fig', 3, none],
    bad: ['pear', 4, true, 'APPLE'],
    beyond: ['other'],
  },
  'dropdown with none': {
    question: { type: 'dropdown', choices: fruit, showNoneItem: true },
    good: ['none', 'apple'],
    bad: ['refused', 'pear'],
  },
  'dropdown by number': {
    question: { type: 'dropdown', choicesMin: 1, choicesMax: 5 },
    good: [1, 5, 3],
    bad: [0, 6, 'x'],
  },
  checkbox: {
    question: { type: 'checkbox', choices: fruit, isRequired: true },
    good: [['apple'], ['apple', 'fig'], [3, 'fig', 'apple']],
    bad: [['pear'], ['apple', 'pear'], none, [], [4]],
    beyond: ['apple', ['apple', 'apple']],
  },
  'checkbox at most': {
    question: { type: 'checkbox', choices: fruit, maxSelectedChoices: 2, minSelectedChoices: 1 },
    good: [['apple'], ['apple', 'fig']],
    bad: [['x', 'y'], none],
    beyond: [['apple', 'fig', 3]],
  },
  tagbox: {
    question: { type: 'tagbox', choices: fruit },
    good: [['apple'], ['fig', 3], none],
    bad: [['pear'], ['apple', 'pear'], [9]],
  },
  ranking: {
    question: { type: 'ranking', choices: ['a', 'b', 'c'], isRequired: true },
    good: [
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
      ['b', 'a', 'c'],
    ],
    bad: [['a', 'b', 'x'], none],
  },
  rating: {
    question: { type: 'rating', rateMax: 10, isRequired: true },
    good: [1, 5, 10],
    bad: [none, null],
    beyond: [0, 11, 'x'],
  },
  slider: {
    question: { type: 'slider', min: 0, max: 50 },
    good: [0, 25, 50],
    bad: [],
    beyond: [51, -1, 'x'],
  },
  imagepicker: {
    question: { type: 'imagepicker', choices: [{ value: 'lion' }, { value: 'fox' }], isRequired: true },
    good: ['lion', 'fox'],
    bad: ['cat', none, 1],
  },
  'several images': {
    question: { type: 'imagepicker', multiSelect: true, choices: [{ value: 'lion' }, { value: 'fox' }] },
    good: [['lion'], ['lion', 'fox'], none],
    bad: [['cat'], ['lion', 'cat']],
  },
  matrix: {
    question: { type: 'matrix', rows: ['food', 'room'], columns: ['good', 'bad'], isAllRowRequired: true },
    good: [
      { food: 'good', room: 'bad' },
      { food: 'bad', room: 'bad' },
    ],
    bad: [{ food: 'good' }, { food: 'good', room: 'x' }, { food: 'good', room: 'bad', view: 'good' }, none],
  },
  matrixdropdown: {
    question: {
      type: 'matrixdropdown',
      rows: ['a', 'b'],
      columns: [{ name: 'c', cellType: 'dropdown', isRequired: true }],
      choices: [1, 2],
    },
    good: [
      { a: { c: 1 }, b: { c: 2 } },
      { a: { c: 2 }, b: { c: 2 } },
    ],
    bad: [{ a: { c: 1 } }, { a: { c: 5 }, b: { c: 1 } }, { a: { c: 1 }, b: { c: 1 }, z: { c: 1 } }, none],
  },
  matrixdynamic: {
    question: {
      type: 'matrixdynamic',
      rowCount: 0,
      minRowCount: 1,
      maxRowCount: 3,
      columns: [{ name: 'c', cellType: 'text', inputType: 'number', isRequired: true, max: 9 }],
    },
    good: [none, [{ c: 1 }], [{ c: 9 }, { c: 3 }], [{ c: 1 }, { c: 2 }, { c: 3 }]],
    bad: [[{ c: 10 }], [{}, { c: 1 }], [{ c: 1, d: 2 }], [{ c: 'x' }]],
    beyond: ['x', [{ c: 1 }, { c: 1 }, { c: 1 }, { c: 1 }]],
  },
  'keys of a table': {
    question: {
      type: 'matrixdynamic',
      rowCount: 0,
      keyName: 'c',
      columns: [{ name: 'c', cellType: 'text' }],
    },
    good: [[{ c: 'a' }, { c: 'b' }], [{ c: 'a' }]],
    bad: [[{ c: 'a' }, { c: 'a' }]],
  },
  paneldynamic: {
    question: {
      type: 'paneldynamic',
      minPanelCount: 1,
      maxPanelCount: 2,
      templateElements: [
        { type: 'text', name: 'who', isRequired: true },
        { type: 'dropdown', name: 'as', choices: ['guest', 'host'] },
      ],
    },
    good: [
      [{ who: 'Ada' }],
      [
        { who: 'Ada', as: 'host' },
        { who: 'Max', as: 'guest' },
      ],
    ],
    bad: [[{ as: 'host' }], [{ who: 'Ada', as: 'x' }], none, [{ who: 'Ada', z: 1 }], 'x'],
    beyond: [[{ who: 'a' }, { who: 'b' }, { who: 'c' }]],
  },
  multipletext: {
    question: {
      type: 'multipletext',
      items: [{ name: 'mail', inputType: 'email', isRequired: true }, { name: 'phone' }],
    },
    good: [{ mail: 'a@b.org' }, { mail: 'a@b.org', phone: '1' }],
    bad: [{ phone: '1' }, { mail: 'x' }, none, 'x'],
  },
  file: {
    question: { type: 'file', isRequired: true },
    good: [[{ name: 'a.txt', type: 'text/plain', content: 'data:text/plain;base64,QQ==' }]],
    bad: [none, []],
    beyond: ['x'],
  },
  signaturepad: {
    question: { type: 'signaturepad', isRequired: true },
    good: ['data:image/png;base64,AA=='],
    bad: [none, ''],
    beyond: [5],
  },
};
