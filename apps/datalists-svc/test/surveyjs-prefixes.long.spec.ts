import { eventually } from '@canvass/testing';
import * as survey3 from 'survey-core';
import * as survey2 from 'survey-core-2';
import { startHarness, type Harness } from './harness';
import { adapterOf, formWithLists, shown } from './surveyjs';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

type Survey = survey3.SurveyModel;
type Question = survey3.QuestionDropdownModel;
type Row = Record<string, unknown>;

const versions = [
  ['2', survey2 as unknown as typeof survey3],
  ['3', survey3],
] as const;

describe.each(versions)('with survey-core %s', (_version, { Serializer, settings, SurveyModel }) => {
  beforeAll(() => {
    settings.dropdownSearchDelay = 0;
  });

  /** A survey that is connected, after `data` was set. */
  async function connected(
    elementsOf: (lists: Record<'country' | 'city', string>) => object[],
    { data = {}, more = {} }: { data?: Row; more?: object } = {},
  ) {
    const { connectDataLists } = adapterOf(fetch, { Serializer });
    const {
      options: { lists: _lists, ...options },
      lists,
    } = await formWithLists(harness);
    const survey = new SurveyModel({ ...more, elements: elementsOf(lists) });
    survey.data = data;
    const errors: string[] = [];
    connectDataLists(survey, { ...options, onError: ({ message }) => errors.push(message) });
    return { survey, errors };
  }

  const named = (survey: Survey, name: string): Question[] =>
    survey.getAllQuestions(false, false, true).filter((question) => question.name === name) as Question[];

  /** Opens the list of a question: all choices begin so, and there are some unless `start` is null. */
  async function offers(question: Question, start: string | null) {
    question.dropdownListModel.popupModel.show();
    await eventually(() => {
      if (start === null) expect(shown(question)).toEqual([]);
      else expect(shown(question).length).toBeGreaterThan(1);
      expect(shown(question).filter(([value]) => !String(value).startsWith(start ?? ''))).toEqual([]);
    });
    question.dropdownListModel.popupModel.hide();
  }

  const country = { type: 'dropdown', name: 'country', choices: ['AT', 'DE'] };

  it.each([
    ['{country}-', {}],
    ['{Country}-', {}],
    ['{ COUNTRY }-', {}],
    ['{address.country}-', {}],
    ['{Address.Country}-', {}],
    ['{calculated}-', {}],
    ['{variable}-', {}],
    ['{people[0].country}-', {}],
    ['{places.home.country}-', {}],
    ['{kept}-', {}],
  ])('resolves %s as SurveyJS does, and clears what is below when it changes', async (prefix) => {
    const { survey, errors } = await connected(
      ({ city }) => [
        country,
        { ...country, name: 'byName', valueName: 'kept' },
        { type: 'multipletext', name: 'address', items: [{ name: 'country' }] },
        { type: 'paneldynamic', name: 'people', templateElements: [country] },
        {
          type: 'matrixdropdown',
          name: 'places',
          rows: ['home'],
          columns: [{ ...country, cellType: 'dropdown' }],
        },
        { type: 'dropdown', name: 'city', dataList: city, dataListPrefix: prefix },
      ],
      { more: { calculatedValues: [{ name: 'calculated', expression: '{country}' }] } },
    );
    const choose = (value: string) => {
      survey.setVariable('variable', value);
      survey.data = {
        ...survey.data,
        kept: value,
        address: { country: value },
        people: [{ country: value }],
        places: { home: { country: value } },
      };
      survey.setValue('country', value);
    };
    const [city] = named(survey, 'city');
    choose('AT');
    await offers(city!, 'AT-');
    city!.value = 'AT-01';
    survey.setValue('other', 1);
    expect(city!.value).toBe('AT-01');
    choose('DE');
    expect(city!.value).toBeUndefined();
    await offers(city!, 'DE-');
    expect(errors).toEqual([]);
  });

  it('resolves names of the panel, also of a nested one, and clears in the panel that changed only', async () => {
    const { survey, errors } = await connected(
      ({ city }) => {
        const cities = { type: 'dropdown', dataList: city, dataListPrefix: '{panel.country}-' };
        const inner = {
          type: 'paneldynamic',
          name: 'inner',
          templateElements: [country, { ...cities, name: 'there' }],
        };
        return [
          {
            type: 'paneldynamic',
            name: 'p',
            templateElements: [country, { ...cities, name: 'city' }, inner],
          },
        ];
      },
      {
        data: {
          p: [
            { country: 'AT', city: 'AT-01', inner: [{ country: 'DE', there: 'DE-00' }] },
            { country: 'DE', city: 'DE-00', inner: [{ country: 'AT', there: 'AT-01' }] },
          ],
        },
      },
    );
    const cities = () => named(survey, 'city');
    const there = () => named(survey, 'there');
    await offers(cities()[0]!, 'AT-');
    await offers(cities()[1]!, 'DE-');
    await offers(there()[0]!, 'DE-');
    const [first, second] = (survey.getQuestionByName('p') as survey3.QuestionPanelDynamicModel).panels;
    first!.getQuestionByName('country')!.value = 'DE';
    expect(survey.data).toEqual({
      p: [
        { country: 'DE', inner: [{ country: 'DE', there: 'DE-00' }] },
        { country: 'DE', city: 'DE-00', inner: [{ country: 'AT', there: 'AT-01' }] },
      ],
    });
    await offers(cities()[0]!, 'DE-');
    const [nested] = (second!.getQuestionByName('inner') as survey3.QuestionPanelDynamicModel).panels;
    nested!.getQuestionByName('country')!.value = 'DE';
    expect((survey.data as { p: Row[] }).p[1]).toEqual({
      country: 'DE',
      city: 'DE-00',
      inner: [{ country: 'DE' }],
    });
    await offers(there()[1]!, 'DE-');
    expect(errors).toEqual([]);
  });

  it.each(['matrixdynamic', 'matrixdropdown'])('resolves names of the row of a %s', async (type) => {
    const rows = [
      { country: 'AT', city: 'AT-01' },
      { country: 'DE', city: 'DE-00' },
    ];
    const isDynamic = type === 'matrixdynamic';
    const { survey, errors } = await connected(
      ({ city }) => [
        {
          type,
          name: 'm',
          ...(!isDynamic && { rows: ['r', 's'] }),
          columns: [
            { ...country, cellType: 'dropdown' },
            { name: 'city', cellType: 'dropdown', dataList: city, dataListPrefix: '{row.country}-' },
          ],
        },
      ],
      { data: { m: isDynamic ? rows : { r: rows[0], s: rows[1] } } },
    );
    const { visibleRows } = survey.getQuestionByName('m') as survey3.QuestionMatrixDynamicModel;
    const cell = (row: number, column: number) => visibleRows[row]!.cells[column]!.question as Question;
    await offers(cell(0, 1), 'AT-');
    cell(0, 0).value = 'DE';
    expect([cell(0, 1).value, cell(1, 1).value]).toEqual([undefined, 'DE-00']);
    await offers(cell(0, 1), 'DE-');
    cell(1, 0).clearValue();
    expect(cell(1, 1).value).toBeUndefined();
    await offers(cell(1, 1), null);
    expect(errors).toEqual([]);
  });

  it('keeps answers that come together with what their prefix names', async () => {
    const { survey } = await connected(({ city }) => [
      country,
      { type: 'dropdown', name: 'city', dataList: city, dataListPrefix: '{country}-' },
    ]);
    survey.data = { country: 'AT', city: 'AT-01' };
    survey.setValue('other', 1);
    expect(survey.data).toEqual({ country: 'AT', city: 'AT-01', other: 1 });
    survey.data = { country: 'DE', city: 'DE-00' };
    survey.setValue('other', 2);
    expect(survey.getValue('city')).toBe('DE-00');
    survey.setValue('country', 'AT');
    expect(survey.getValue('city')).toBeUndefined();
  });

  it('reports a prefix that names nothing, once', async () => {
    const { survey, errors } = await connected(({ city }) => [
      country,
      { type: 'dropdown', name: 'city', dataList: city, dataListPrefix: '{panel.country}-' },
    ]);
    const [city] = named(survey, 'city');
    await offers(city!, null);
    await offers(city!, null);
    await eventually(() =>
      expect(errors).toEqual([
        'The prefix "{panel.country}-" of the question "city" names nothing that is there.',
      ]),
    );
  });

  it('shows labels of the language where the list has none of the region', async () => {
    const { survey } = await connected(
      ({ country: list }) => [{ type: 'dropdown', name: 'q', dataList: list }],
      {
        data: { q: 'AT' },
      },
    );
    const [question] = named(survey, 'q');
    for (const [locale, label] of [
      ['de-AT', 'Österreich'],
      ['nl-BE', 'Austria'],
      ['fr-CH', 'Austria'],
    ] as const) {
      survey.locale = locale;
      await eventually(() => expect([locale, question!.selectedItem?.text]).toEqual([locale, label]));
      question!.dropdownListModel.popupModel.show();
      await eventually(() => expect(shown(question!)).toHaveLength(3));
      expect(shown(question!)).toContainEqual(['AT', label]);
      question!.dropdownListModel.popupModel.hide();
    }
  });

  it.each(['before', 'after'])('shows labels of a tag box with other that is answered %s', async (time) => {
    const data = { q: ['AT', 'DE', 'other'], 'q-Comment': 'Oz' };
    const { survey } = await connected(
      ({ country: list }) => [{ type: 'tagbox', name: 'q', dataList: list, showOtherItem: true }],
      time === 'before' ? { data } : {},
    );
    if (time === 'after') survey.data = data;
    const [question] = named(survey, 'q');
    await eventually(() => expect(question!.displayValue).toBe('Austria, Germany, Oz'));
    survey.locale = 'de';
    await eventually(() => expect(question!.displayValue).toBe('Österreich, Deutschland, Oz'));
    question!.dropdownListModel.popupModel.show();
    await eventually(() =>
      expect(shown(question!).map(([value]) => value)).toEqual(['DE', 'AT', 'KR', 'other']),
    );
  });

  it('hands stored choices on to a question that carries them', async () => {
    const { survey } = await connected(
      ({ country: list }) => [
        { type: 'tagbox', name: 'q', dataList: list },
        { type: 'checkbox', name: 'best', choicesFromQuestion: 'q', choicesFromQuestionMode: 'selected' },
      ],
      { data: { q: ['AT', 'KR'] } },
    );
    await eventually(() =>
      expect(shown(named(survey, 'best')[0]!)).toEqual([
        ['AT', 'Austria'],
        ['KR', 'Korea, South'],
      ]),
    );
  });
});
