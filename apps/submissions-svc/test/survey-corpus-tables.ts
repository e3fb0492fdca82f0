import type { SurveyCase } from './survey-corpus';

const scale = [
  { value: 1, text: { default: 'Very bad', de: 'Sehr schlecht' } },
  { value: 2, text: 'Bad' },
];
const flags = [{ value: 1, text: 'Set' }];
const png = 'data:image/png;base64,AAAA';

const cellTypes = [
  'dropdown',
  'checkbox',
  'radiogroup',
  'tagbox',
  'text',
  'comment',
  'boolean',
  'rating',
  'expression',
  'slider',
];
const several = new Set(['checkbox', 'tagbox']);

/** Tables and panels of SurveyJS 3, with every kind of cell. */
export const tableCorpus: SurveyCase[] = [
  ...['', 'de'].map((locale) => ({
    name: `matrix in "${locale}"`,
    elements: [{ type: 'matrix', name: 'm', rows: ['r', { value: 's', text: 'The s' }], columns: scale }],
    data: { m: { r: 1, s: 2 } },
    locale,
  })),
  {
    name: 'matrixdropdown: choices of the table are for four types of cells',
    elements: [
      {
        type: 'matrixdropdown',
        name: 'm',
        rows: ['r'],
        choices: scale,
        columns: [
          ...cellTypes.map((cellType) => ({ name: cellType, cellType })),
          { name: 'own', cellType: 'dropdown', choices: flags },
          { name: 'plain', choices: flags },
          { name: 'default' },
          { name: 'flag', cellType: 'boolean', valueTrue: 1, valueFalse: 0, labelFalse: 'Off' },
          { name: 'stars', cellType: 'rating', rateValues: flags },
        ],
      },
    ],
    data: {
      m: {
        r: {
          ...Object.fromEntries(
            cellTypes.map((type) => [type, several.has(type) ? [2, 1] : type === 'boolean' ? true : 1]),
          ),
          own: 1,
          plain: 1,
          default: 2,
          flag: 1,
          stars: 1,
        },
      },
    },
  },
  ...['radiogroup', 'checkbox', 'text', 'boolean'].map((cellType) => ({
    name: `matrixdynamic of ${cellType} cells`,
    elements: [
      {
        type: 'matrixdynamic',
        name: 'm',
        cellType,
        choices: scale,
        columns: [{ name: 'x' }, { name: 'y', cellType: 'dropdown', choices: flags }],
      },
    ],
    data: {
      m: [{ x: cellType === 'checkbox' ? [1, 2] : cellType === 'boolean' ? true : 2, y: 1 }, { y: 1 }],
    },
  })),
  {
    name: 'other, none and comments in cells and panels',
    elements: [
      {
        type: 'matrixdynamic',
        name: 'm',
        columns: [
          { name: 'x', cellType: 'dropdown', choices: scale, showOtherItem: true },
          { name: 'y', cellType: 'checkbox', choices: scale, showNoneItem: true, noneText: 'Nothing' },
        ],
      },
      {
        type: 'paneldynamic',
        name: 'p',
        templateElements: [
          { type: 'checkbox', name: 'x', choices: scale, showOtherItem: true, otherText: 'Else' },
        ],
      },
    ],
    data: {
      m: [{ x: 'other', 'x-Comment': 'Fig', y: ['none'] }, { x: 1 }],
      p: [{ x: [1, 'other'], 'x-Comment': 'Kiwi' }, { x: ['other'] }],
    },
    differs: {
      why: 'getPlainData has nothing for other without a comment, getDisplayValue has its text',
      cells: { 'p.x': '["Very bad","Kiwi"]|["Else"]' },
    },
  },
  {
    name: 'details of rows',
    elements: [
      {
        type: 'matrixdynamic',
        name: 'm',
        detailPanelMode: 'underRow',
        columns: [{ name: 'x', cellType: 'text' }],
        detailElements: [{ type: 'dropdown', name: 'y', choices: scale }],
      },
    ],
    data: { m: [{ x: 'a', y: 1 }] },
    differs: {
      why: 'getPlainData leaves out the details of rows',
      cells: { 'm.y': 'Very bad' },
      values: { 'm.y': '1' },
    },
  },
  {
    name: 'multipletext',
    elements: [
      {
        type: 'multipletext',
        name: 'x',
        items: [
          { name: 'mail', title: 'Mail' },
          { name: 'age', inputType: 'number' },
        ],
      },
    ],
    data: { x: { mail: 'a@b', age: 5 } },
  },
  {
    name: 'paneldynamic with panels, tables, choices and texts in it',
    elements: [
      {
        type: 'paneldynamic',
        name: 'p',
        templateElements: [
          { type: 'panel', name: 'inner', elements: [{ type: 'radiogroup', name: 'one', choices: scale }] },
          { type: 'tagbox', name: 'many', choices: scale },
          { type: 'boolean', name: 'yes', labelTrue: 'I do' },
          { type: 'multipletext', name: 'texts', items: [{ name: 'mail' }] },
          { type: 'matrix', name: 'grid', rows: ['x', 'one'], columns: scale },
          {
            type: 'matrixdropdown',
            name: 'table',
            rows: ['x', 'kind'],
            columns: [{ name: 'kind', cellType: 'dropdown', choices: scale }],
          },
          {
            type: 'matrixdynamic',
            name: 'rows',
            columns: [
              { name: 'kind', cellType: 'checkbox', choices: scale },
              { name: 'note', cellType: 'text' },
            ],
          },
          {
            type: 'paneldynamic',
            name: 'nested',
            templateElements: [
              { type: 'dropdown', name: 'kind', choices: scale, showOtherItem: true },
              {
                type: 'paneldynamic',
                name: 'deep',
                templateElements: [{ type: 'dropdown', name: 'x', choices: flags }],
              },
            ],
          },
        ],
      },
    ],
    data: {
      p: [
        {
          one: 1,
          many: [2, 1],
          yes: true,
          texts: { mail: 'a@b' },
          grid: { x: 1, one: 2 },
          table: { x: { kind: 2 }, kind: { kind: 1 } },
          rows: [{ kind: [1, 2], note: 'n' }],
          nested: [{ kind: 'other', 'kind-Comment': 'Fig', deep: [{ x: 1 }] }, { kind: 1 }],
        },
        { one: 2 },
      ],
    },
    differs: {
      why: 'a list within a row is JSON: choices of a checkbox are its items, where SurveyJS joins them by commas',
      cells: { 'p.rows': '[{"kind":["Very bad","Bad"],"note":"n"}]|' },
    },
  },
  {
    name: 'carried choices in cells and panels',
    elements: [
      { type: 'checkbox', name: 'brands', choices: scale },
      {
        type: 'matrixdynamic',
        name: 'm',
        columns: [{ name: 'x', cellType: 'dropdown', choicesFromQuestion: 'brands' }],
      },
      {
        type: 'paneldynamic',
        name: 'p',
        templateElements: [{ type: 'dropdown', name: 'x', choicesFromQuestion: 'brands' }],
      },
    ],
    data: { brands: [1, 2], m: [{ x: 2 }], p: [{ x: 1 }] },
  },
  {
    name: 'files and signatures in cells and panels',
    elements: [
      {
        type: 'matrixdynamic',
        name: 'm',
        columns: [
          { name: 'f', cellType: 'file' },
          { name: 's', cellType: 'signaturepad' },
        ],
      },
      {
        type: 'paneldynamic',
        name: 'p',
        templateElements: [
          { type: 'file', name: 'f', allowMultiple: true },
          { type: 'signaturepad', name: 's' },
          { type: 'paneldynamic', name: 'n', templateElements: [{ type: 'file', name: 'f' }] },
        ],
      },
    ],
    data: {
      m: [{ f: [{ name: 'a.png', type: 'image/png', content: png }], s: png }],
      p: [
        {
          f: [{ name: 'a.png', type: 'image/png', content: png }],
          s: png,
          n: [{ f: [{ name: 'b.png', type: 'image/png', content: png }] }],
        },
      ],
    },
    differs: {
      why: 'contents are large and private',
      cells: { 'm.s': '(image/png)', 'p.s': '(image/png)', 'p.n': '[{"f":["b.png"]}]' },
      values: { 'm.s': '(image/png)', 'p.s': '(image/png)', 'p.n': '[{"f":["b.png"]}]' },
    },
  },
];
