import type { SurveyCase } from './survey-corpus';

const tools = [
  { value: 'slack', text: 'Slack' },
  { value: 'mt', text: 'Microsoft Teams' },
];
const grades = [
  { value: 1, text: 'Poor' },
  { value: 2, text: 'Great' },
];
const png = 'data:image/png;base64,AAAA';

/** Cases from public reports on software that shows or exports answers, each with its source. */
export const reportedCorpus: SurveyCase[] = [
  // surveyjs/survey-library#11175
  {
    name: 'several columns of a matrix of checkboxes',
    elements: [{ type: 'matrix', name: 'm', cellType: 'checkbox', rows: ['r', 's'], columns: grades }],
    data: { m: { r: [2, 1], s: [1] } },
    differs: {
      why: 'the choices of a row are separated as several choices are',
      cells: { 'm.r': 'Great|Poor', 'm.s': 'Poor' },
      values: { 'm.r': '2|1', 'm.s': '1' },
    },
  },
  // surveyjs/survey-library#7950
  {
    name: 'a comment beside a text of other that is the value',
    elements: [
      {
        type: 'checkbox',
        name: 'x',
        choices: tools,
        showOtherItem: true,
        showCommentArea: true,
        storeOthersAsComment: false,
      },
    ],
    data: { x: ['mt', 'Pager'], 'x-Comment': 'rarely' },
  },
  // surveyjs/survey-library#6527, heyform/heyform#309
  ...['radiogroup', 'dropdown', 'checkbox', 'tagbox'].map((type) => ({
    name: `the comment of other in a ${type}`,
    elements: [{ type, name: 'x', choices: tools, showOtherItem: true }],
    data: { x: type === 'checkbox' || type === 'tagbox' ? ['other'] : 'other', 'x-Comment': 'Pager, fax' },
  })),
  // surveyjs/survey-library#2042
  {
    name: 'other before another choice',
    elements: [{ type: 'checkbox', name: 'x', choices: tools, hasOther: true }],
    data: { x: ['other', 'slack'], 'x-Comment': 'Pager' },
  },
  // surveyjs/survey-library#670
  {
    name: 'other in a cell, stored as the value of the cell',
    elements: [
      {
        type: 'matrixdynamic',
        name: 'm',
        columns: [
          {
            name: 'x',
            cellType: 'dropdown',
            choices: tools,
            showOtherItem: true,
            storeOthersAsComment: false,
          },
        ],
      },
    ],
    data: { m: [{ x: 'Pager' }, { x: 'mt' }] },
  },
  // surveyjs/survey-library#9994
  {
    name: 'choices within objects that a table extends',
    elements: [
      { type: 'tagbox', name: 'list', valueName: 'used', valuePropertyName: 'tool', choices: tools },
      {
        type: 'matrixdynamic',
        name: 'feedback',
        valueName: 'used',
        columns: [{ name: 'grade', cellType: 'dropdown', choices: grades }],
      },
    ],
    data: { used: [{ tool: 'mt', grade: 2 }, { tool: 'slack' }] },
    differs: {
      why: 'columns have the name of the answer, not that of one of its questions',
      cells: { used: 'Microsoft Teams|Slack', 'used.grade': 'Great|' },
      values: { used: '{"tool":"mt","grade":2}|{"tool":"slack"}', 'used.grade': '2|' },
      notOf: ['list', 'feedback.grade'],
    },
  },
  // surveyjs/survey-library#7605
  {
    name: 'choices within objects in a cell',
    elements: [
      {
        type: 'matrixdynamic',
        name: 'm',
        columns: [{ name: 'x', cellType: 'checkbox', valuePropertyName: 'tool', choices: tools }],
      },
    ],
    data: { m: [{ x: [{ tool: 'mt' }, { tool: 'slack' }] }] },
    differs: {
      why: 'getPlainData has the objects of such choices, getDisplayValue their texts',
      cells: { 'm.x': '["Microsoft Teams","Slack"]' },
    },
  },
  // surveyjs/survey-library#9399
  {
    name: 'choices from the texts of a panel',
    elements: [
      { type: 'paneldynamic', name: 'p', templateElements: [{ type: 'text', name: 'q' }] },
      {
        type: 'dropdown',
        name: 'x',
        choicesFromQuestion: 'p',
        choiceValuesFromQuestion: 'q',
        choiceTextsFromQuestion: 'q',
      },
    ],
    data: { p: [{ q: 'one' }, { q: 'two' }], x: 'two' },
  },
  // surveyjs/survey-library#483
  {
    name: 'numbers as values of a dropdown',
    elements: [{ type: 'dropdown', name: 'x', choices: grades }],
    data: { x: 2 },
  },
  // surveyjs/survey-library#1087, surveyjs/survey-library#3097
  {
    name: 'rows with texts of a matrix and of a table',
    elements: [
      { type: 'matrix', name: 'm', rows: [{ value: 'r', text: 'Row' }], columns: grades },
      {
        type: 'matrixdropdown',
        name: 'd',
        rows: [{ value: 'r', text: 'Row' }],
        columns: [{ name: 'x', title: 'The x' }],
        choices: grades,
      },
    ],
    data: { m: { r: 1 }, d: { r: { x: 2 } } },
  },
  // surveyjs/survey-library#7876
  {
    name: 'a dropdown of a panel in a panel',
    elements: [
      {
        type: 'paneldynamic',
        name: 'p',
        templateElements: [
          {
            type: 'paneldynamic',
            name: 'q',
            templateElements: [{ type: 'dropdown', name: 'x', choices: tools }],
          },
        ],
      },
    ],
    data: { p: [{ q: [{ x: 'mt' }] }, {}] },
  },
  // surveyjs/survey-creator#719
  {
    name: 'texts of rates in a cell',
    elements: [
      {
        type: 'matrixdropdown',
        name: 'm',
        rows: ['r'],
        columns: [{ name: 'x', cellType: 'rating', rateValues: grades }],
      },
    ],
    data: { m: { r: { x: 1 } } },
  },
  // surveyjs/survey-pdf#31, arches/arches#2532
  {
    name: 'a boolean whose values are words, with the labels exchanged',
    elements: [
      {
        type: 'boolean',
        name: 'x',
        valueTrue: 'Y',
        valueFalse: 'N',
        labelTrue: 'No pets',
        labelFalse: 'Pets',
      },
    ],
    data: { x: 'N' },
  },
  // surveyjs/survey-analytics#154, surveyjs/survey-analytics#167
  {
    name: 'the names of several files',
    elements: [{ type: 'file', name: 'x', allowMultiple: true }],
    data: {
      x: [
        { name: 'grizzly bear.jpg', type: 'image/jpeg', content: png },
        { name: 'a|b.pdf', type: 'application/pdf', content: png },
      ],
    },
  },
  // kobotoolbox/formpack#139, onaio/onadata#2413
  {
    name: 'a label that is blank in the language asked for, and in all',
    elements: [
      {
        type: 'checkbox',
        name: 'x',
        choices: [
          { value: 'v', text: { fr: '', de: '' } },
          { value: 'w', text: '' },
        ],
      },
    ],
    data: { x: ['v', 'w'] },
    locale: 'fr',
  },
  // kobotoolbox/kpi#3107
  {
    name: 'labels in a single language that has a name',
    elements: [{ type: 'dropdown', name: 'x', choices: [{ value: 'o2', text: { it: 'Opzione 2' } }] }],
    data: { x: 'o2' },
    locale: 'it',
  },
  // onaio/onadata#1427
  {
    name: 'labels of several choices that are numbers',
    elements: [{ type: 'checkbox', name: 'x', choices: grades }],
    data: { x: [2, 1] },
  },
  // surveyjs/survey-library#4895
  {
    name: 'a dialect whose language has the text',
    elements: [{ type: 'dropdown', name: 'x', choices: [{ value: 'v', text: { default: 'D', pt: 'P' } }] }],
    data: { x: 'v' },
    locale: 'pt-br',
  },
  // surveyjs/survey-library PR 5081
  {
    name: 'a text cell beside cells with the choices of the table',
    elements: [
      {
        type: 'matrixdropdown',
        name: 'm',
        rows: ['r'],
        choices: grades,
        columns: [{ name: 'x' }, { name: 'count', cellType: 'text', inputType: 'number' }],
      },
    ],
    data: { m: { r: { x: 1, count: 1 } } },
  },
];
