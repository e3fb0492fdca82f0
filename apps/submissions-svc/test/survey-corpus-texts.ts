import type { SurveyCase } from './survey-corpus';

const yesNo = [
  { value: 1, text: { default: 'Yes please', de: 'Ja bitte' } },
  { value: 0, text: 'No thanks' },
];
const png = 'data:image/png;base64,AAAA';

/** Texts by locale, areas of images, nested elements and files of SurveyJS 3. */
export const textCorpus: SurveyCase[] = [
  {
    name: 'blank labels are none',
    elements: [
      { type: 'dropdown', name: 'x', choices: [{ value: 'h', text: { default: 'House', de: '' } }] },
      { type: 'dropdown', name: 'y', choices: [{ value: 'h', text: '' }] },
      {
        type: 'checkbox',
        name: 'z',
        choices: [
          { value: 'h', text: { de: '' } },
          { value: 'i', text: '' },
        ],
      },
      { type: 'matrix', name: 'm', rows: ['r'], columns: [{ value: 'h', text: { de: '' } }] },
      { type: 'rating', name: 'w', rateValues: [{ value: 1, text: '' }, 2] },
    ],
    data: { x: 'h', y: 'h', z: ['h', 'i'], m: { r: 'h' }, w: 1 },
    locale: 'de',
    differs: {
      why: 'a blank text is that of one language; SurveyJS then drops those of all languages',
      cells: { x: 'House' },
    },
  },
  {
    name: 'a value and its text in one word',
    elements: [
      { type: 'dropdown', name: 'x', choices: ['NG|Nigeria', 'DE|Germany'] },
      { type: 'checkbox', name: 'y', choices: ['a', { value: 'b|B' }, 'c|'] },
      { type: 'matrix', name: 'm', rows: ['r|Row'], columns: ['h|High'] },
    ],
    data: { x: 'NG', y: ['a', 'b', 'c'], m: { r: 'h' } },
  },
  {
    name: 'a label of blanks does not count',
    elements: [{ type: 'dropdown', name: 'x', choices: [{ value: 'h', text: '  ' }] }],
    data: { x: 'h' },
    differs: { why: 'a cell that looks empty shows less than the value', cells: { x: 'h' } },
  },
  ...['', 'en', 'de', 'de-at', 'de-CH', 'fr', 'pt'].map((locale) => ({
    name: `a text in "${locale}" is that of the locale, its language, or the default`,
    elements: [
      {
        type: 'dropdown',
        name: 'x',
        choices: [{ value: 'v', text: { default: 'D', de: 'DE', 'de-at': 'AT', 'pt-br': 'BR' } }],
      },
      { type: 'dropdown', name: 'y', choices: [{ value: 'v', text: { en: 'E', fr: 'F' } }] },
      { type: 'dropdown', name: 'z', choices: [{ value: 'v', text: { default: 'D', en: 'E' } }] },
    ],
    data: { x: 'v', y: 'v', z: 'v' },
    locale,
  })),
  {
    name: 'a text with the answer to another question in it',
    elements: [
      { type: 'text', name: 'who' },
      { type: 'dropdown', name: 'x', choices: [{ value: 'h', text: "{who}'s house" }] },
    ],
    data: { who: 'Ada', x: 'h' },
    differs: { why: 'a label is the same in each row of the file', cells: { x: "{who}'s house" } },
  },
  {
    name: 'imagemap: one and several areas',
    elements: [false, true].map((multiSelect) => ({
      type: 'imagemap',
      name: multiSelect ? 'y' : 'x',
      multiSelect,
      imageLink: 'x.png',
      areas: [
        { value: 'n', text: 'North', shape: 'rect', coords: '0,0,1,1' },
        { value: 's', text: 'South', shape: 'rect', coords: '1,1,2,2' },
      ],
    })),
    data: { x: 'n', y: ['s', 'n'] },
    differs: {
      why: 'several areas are separated as several choices are',
      cells: { y: 'South|North' },
      values: { y: 's|n' },
    },
  },
  {
    name: 'choices with questions of their own',
    elements: [
      {
        type: 'radiogroup',
        name: 'x',
        choices: [
          { value: 'a', text: 'Apple', elements: [{ type: 'dropdown', name: 'sort', choices: yesNo }] },
        ],
      },
    ],
    data: { x: 'a', sort: 1 },
    differs: {
      why: 'getPlainData leaves out such questions',
      cells: { sort: 'Yes please' },
      values: { sort: '1' },
    },
  },
  {
    name: 'elements within panels and pages of panels',
    elements: [
      {
        type: 'panel',
        name: 'p',
        elements: [{ type: 'panel', name: 'q', elements: [{ type: 'dropdown', name: 'x', choices: yesNo }] }],
      },
    ],
    data: { x: 1 },
  },
  {
    name: 'files and signatures by name, never by content',
    elements: [
      { type: 'file', name: 'x', allowMultiple: true },
      { type: 'file', name: 'y' },
      { type: 'signaturepad', name: 's' },
    ],
    data: {
      x: [
        { name: 'a.png', type: 'image/png', content: png },
        { name: 'b.png', type: 'image/png', content: 'https://files.example/b' },
      ],
      y: [{ type: 'image/png', content: png }],
      s: png,
    },
    differs: {
      why: 'contents are large and private',
      cells: { y: '(image/png)', s: '(image/png)' },
      values: { y: '(image/png)', s: '(image/png)' },
    },
  },
];
