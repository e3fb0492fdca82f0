import {
  SurveyModel,
  type QuestionMatrixDropdownModel,
  type QuestionMatrixModel,
  type QuestionMultipleTextModel,
  type QuestionPanelDynamicModel,
} from 'survey-core';

const yesNo = [
  { value: 1, text: { default: 'Yes', de: 'Ja' } },
  { value: 0, text: 'No' },
];

/** A form with a question of each shape. */
export const definition = {
  pages: [
    {
      name: 'page1',
      elements: [
        { type: 'text', name: 'city', title: 'Where?' },
        { type: 'html', name: 'hint', html: 'x' },
        {
          type: 'panel',
          name: 'inner',
          elements: [
            {
              type: 'checkbox',
              name: 'tools',
              choices: ['a|b', { value: 'c', text: 'See' }],
              showOtherItem: true,
            },
            { type: 'radiogroup', name: 'again', choices: yesNo, valueName: 'returns' },
          ],
        },
        { type: 'boolean', name: 'agree', labelTrue: 'I do' },
      ],
    },
    {
      name: 'page2',
      elements: [
        { type: 'matrix', name: 'rate', rows: ['food', { value: 'room', text: 'The room' }], columns: yesNo },
        {
          type: 'matrixdropdown',
          name: 'use',
          rows: ['r1', 'r2'],
          columns: [
            { name: 'often', cellType: 'text' },
            { name: 'ok', cellType: 'dropdown' },
          ],
          choices: yesNo,
        },
        {
          type: 'matrixdynamic',
          name: 'items',
          rowCount: 2,
          columns: [
            { name: 'what', cellType: 'text' },
            { name: 'kinds', cellType: 'checkbox', choices: yesNo },
          ],
        },
        {
          type: 'paneldynamic',
          name: 'people',
          panelCount: 2,
          templateElements: [{ type: 'text', name: 'who' }],
        },
        { type: 'multipletext', name: 'contact', items: [{ name: 'mail' }, { name: 'phone' }] },
        { type: 'file', name: 'photos', allowMultiple: true },
      ],
    },
  ],
};

/** Answers to it as JSON text, as the form runtime stores them. */
export function answered(): string {
  const survey = new SurveyModel(definition);
  survey.setValue('city', 'Oslo, N');
  const tools = survey.getQuestionByName('tools');
  tools.value = ['a|b', 'c', 'other'];
  tools.comment = '=1+1';
  survey.getQuestionByName('again').value = 1;
  survey.getQuestionByName('agree').value = true;
  const rate = survey.getQuestionByName('rate') as QuestionMatrixModel;
  rate.visibleRows[1]!.value = 0;
  const fill = (name: string, cells: [row: number, column: number, value: unknown][]) => {
    const { visibleRows } = survey.getQuestionByName(name) as QuestionMatrixDropdownModel;
    for (const [row, column, value] of cells) visibleRows[row]!.cells[column]!.question.value = value;
  };
  fill('use', [
    [0, 0, 'daily'],
    [1, 1, 1],
  ]);
  fill('items', [
    [0, 0, 'tea'],
    [1, 0, 'a|b'],
    [1, 1, [1, 0]],
  ]);
  const people = survey.getQuestionByName('people') as QuestionPanelDynamicModel;
  people.panels[0]!.getQuestionByName('who')!.value = 'Ada';
  people.panels[1]!.getQuestionByName('who')!.value = 'Max';
  const contact = survey.getQuestionByName('contact') as QuestionMultipleTextModel;
  contact.items[1]!.value = '-5';
  survey.setValue('photos', [{ name: 'a.png', type: 'image/png', content: 'data:image/png;base64,AA==' }]);
  return JSON.stringify(survey.data);
}
