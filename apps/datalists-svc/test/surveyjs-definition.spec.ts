import { eventually } from '@canvass/testing';
import {
  Serializer,
  settings,
  type QuestionMatrixDynamicModel,
  type QuestionPanelDynamicModel,
} from 'survey-core';
import { startHarness, type Harness } from './harness';
import { adapterOf, dropdown, formWithLists, shown, surveyOf, tagbox } from './surveyjs';

let harness: Harness;
beforeAll(async () => {
  settings.dropdownSearchDelay = 0;
  harness = await startHarness();
});
afterAll(() => harness.close());

/** survey-core as a page without the adapter has it. */
function withoutProperties(): void {
  for (const type of ['dropdown', 'tagbox'])
    for (const name of ['dataList', 'dataListPrefix'])
      if (Serializer.findProperty(type, name)) Serializer.removeProperty(type, name);
}
beforeEach(withoutProperties);

const adapter = () => adapterOf(fetch, { Serializer });
const open = (question: ReturnType<typeof dropdown>) => question.dropdownListModel.popupModel.show();

describe('a definition that names its lists', () => {
  it('is complete without code: choices, stored answers and cascades', async () => {
    const { connectDataLists } = adapter();
    const {
      options: { lists, ...options },
    } = await formWithLists(harness);
    const survey = surveyOf(
      { type: 'dropdown', name: 'country', dataList: lists.country },
      { type: 'tagbox', name: 'visited', dataList: lists.country },
      { type: 'dropdown', name: 'city', dataList: lists.city, dataListPrefix: '{country}-' },
    );
    survey.data = { country: 'AT', visited: ['DE'] };
    connectDataLists(survey, options);
    await eventually(() => expect(dropdown(survey, 'country').selectedItem?.text).toBe('Austria'));
    await eventually(() =>
      expect(tagbox(survey, 'visited').selectedItems.map(({ text }) => text)).toEqual(['Germany']),
    );
    const city = dropdown(survey, 'city');
    open(city);
    await eventually(() => expect(shown(city).length).toBeGreaterThan(0));
    expect(shown(city).every(([value]) => String(value).startsWith('AT-'))).toBe(true);
    city.dropdownListModel.popupModel.hide();
    survey.setValue('country', 'DE');
    open(city);
    await eventually(() => {
      expect(shown(city).length).toBeGreaterThan(0);
      expect(shown(city).every(([value]) => String(value).startsWith('DE-'))).toBe(true);
    });
  });

  it('is overridden by lists in code, prefix included', async () => {
    const { connectDataLists } = adapter();
    const { options, lists } = await formWithLists(harness);
    const survey = surveyOf({
      type: 'dropdown',
      name: 'q',
      dataList: lists.city,
      dataListPrefix: '{nothing}-',
    });
    connectDataLists(survey, { ...options, lists: { q: lists.country } });
    const question = dropdown(survey, 'q');
    open(question);
    await eventually(() => expect(shown(question).map(([value]) => value)).toEqual(['AT', 'DE', 'KR']));
  });

  it('has its lists in dynamic panels and columns of matrices, also those made later', async () => {
    const { connectDataLists } = adapter();
    const {
      options: { lists, ...options },
    } = await formWithLists(harness);
    const survey = surveyOf(
      {
        type: 'paneldynamic',
        name: 'panels',
        panelCount: 0,
        templateElements: [
          { type: 'dropdown', name: 'byDefinition', dataList: lists.country },
          { type: 'dropdown', name: 'byCode' },
        ],
      },
      {
        type: 'matrixdynamic',
        name: 'matrix',
        rowCount: 0,
        columns: [
          { name: 'columnByDefinition', cellType: 'dropdown', dataList: lists.country },
          { name: 'columnByCode', cellType: 'dropdown' },
        ],
      },
    );
    connectDataLists(survey, { ...options, lists: { byCode: lists.country, columnByCode: lists.country } });
    const panels = survey.getQuestionByName('panels') as QuestionPanelDynamicModel;
    const matrix = survey.getQuestionByName('matrix') as QuestionMatrixDynamicModel;
    const panel = panels.addPanel();
    matrix.addRow();
    const questions = [...panel.questions, ...matrix.visibleRows[0]!.cells.map(({ question }) => question)];
    expect(questions.map(({ name }) => name)).toEqual([
      'byDefinition',
      'byCode',
      'columnByDefinition',
      'columnByCode',
    ]);
    for (const question of questions as ReturnType<typeof dropdown>[]) {
      open(question);
      await eventually(() => expect(shown(question).map(([value]) => value)).toEqual(['AT', 'DE', 'KR']));
    }
  });

  it('keeps its lists when the survey is written as JSON again', () => {
    adapter();
    const element = { type: 'dropdown', name: 'q', dataList: '7', dataListPrefix: '{a}-' };
    expect(surveyOf(element).toJSON()).toMatchObject({ pages: [{ elements: [element] }] });
  });
});

describe('what is set up wrongly', () => {
  const options = { baseUrl: 'http://127.0.0.1:1', formId: '1', token: () => 'none' };

  it.each([
    [{ citty: '7' }, 'lists: the survey has no question "citty".'],
    [
      { name: '7' },
      'lists: the question "name" is of type text; only dropdown and tagbox can have a data list.',
    ],
  ])('is an error that names the question: lists %j', (lists, message) => {
    const survey = surveyOf({ type: 'dropdown', name: 'city' }, { type: 'text', name: 'name' });
    expect(() => adapter().connectDataLists(survey, { ...options, lists })).toThrow(message);
  });

  it('is an error where survey-core does not know the properties, until they are registered', () => {
    const { connectDataLists, registerProperties } = adapterOf(fetch);
    const definition = { type: 'dropdown', name: 'city', dataList: '7' };
    expect(() => connectDataLists(surveyOf(definition), options)).toThrow(
      "Unknown property in class 'dropdown': 'dataList'. Only dropdown and tagbox have it, once canvassSurveyjs.registerProperties(Serializer) was called; then make the survey.",
    );
    registerProperties(Serializer);
    registerProperties(Serializer);
    connectDataLists(surveyOf(definition), options)();
  });
});

it('a text question keeps the suggestions that survey-core calls dataList', () => {
  const survey = surveyOf({ type: 'text', name: 'name', dataList: ['Ada', 'Grace'] });
  const { connectDataLists } = adapter();
  const onError = (error: Error) => {
    throw error;
  };
  connectDataLists(survey, { baseUrl: 'http://127.0.0.1:1', formId: '1', onError });
  expect(survey.toJSON()).toMatchObject({ pages: [{ elements: [{ dataList: ['Ada', 'Grace'] }] }] });
});
