import { eventually } from '@canvass/testing';
import { settings } from 'survey-core';
import { newId, startHarness, type Harness } from './harness';
import {
  cities,
  dropdown,
  FetchedRequest,
  formWithLists,
  lazy,
  loadAdapter,
  scrollToEnd,
  shown,
  surveyOf,
  tagbox,
} from './surveyjs';

let harness: Harness;
beforeAll(async () => {
  settings.dropdownSearchDelay = 0;
  harness = await startHarness();
});
afterAll(() => harness.close());

/** `options` connect these questions only. */
async function form(...names: ('country' | 'city')[]) {
  const { options, ...others } = await formWithLists(harness);
  const lists = Object.fromEntries(names.map((name) => [name, others.lists[name]]));
  return { ...others, options: { ...options, lists } };
}

describe('the adapter', () => {
  it('loads a list page by page to its end, each item once and in order', async () => {
    const { options } = await form('city');
    const survey = surveyOf(lazy('city'));
    loadAdapter()(survey, options);
    const question = dropdown(survey, 'city');
    question.dropdownListModel.popupModel.show();
    for (const expected of [30, 60, 90, 95]) {
      await eventually(() => expect(shown(question)).toHaveLength(expected));
      scrollToEnd(question);
    }
    expect(shown(question).map(([, text]) => text)).toEqual(cities.map(({ labels }) => labels['default']));
    expect(question.dropdownListModel.isAllDataLoaded).toBe(true);
  });

  it('finds what is typed by the mode of the question, accents or not', async () => {
    const { options } = await form('country');
    const survey = surveyOf(lazy('country'), { ...lazy('start'), searchMode: 'startsWith' });
    survey.locale = 'de';
    loadAdapter()(survey, {
      ...options,
      lists: { country: options.lists['country']!, start: options.lists['country']! },
    });
    const typed = async (name: string, text: string, expected: unknown[]) => {
      const { dropdownListModel } = dropdown(survey, name);
      dropdownListModel.popupModel.show();
      dropdownListModel.filterString = text;
      await eventually(() => expect(shown(dropdown(survey, name)).map(([value]) => value)).toEqual(expected));
    };
    await typed('country', 'osterr', ['AT']);
    await typed('country', 'reich', ['AT']);
    await typed('country', 'korea', ['KR']);
    await typed('start', 'korea', []);
    await typed('start', 'deutsch', ['DE']);
  });

  it('shows the labels of stored answers in place, and unknown ones unchanged', async () => {
    const { options, lists } = await form();
    const survey = surveyOf(lazy('country'), { ...lazy('many'), type: 'tagbox' });
    survey.data = { country: 'AT', many: ['KR', 'XX', 'DE', 'a,b'] };
    loadAdapter()(survey, { ...options, lists: { country: lists.country, many: lists.country } });
    await eventually(() => expect(dropdown(survey, 'country').selectedItem?.text).toBe('Austria'));
    await eventually(() =>
      expect(tagbox(survey, 'many').selectedItems.map(({ value, text }) => [value, text])).toEqual([
        ['KR', 'Korea, South'],
        ['XX', 'XX'],
        ['DE', 'Germany'],
        ['a,b', 'a,b'],
      ]),
    );
    expect(survey.getPlainData().map(({ displayValue }) => displayValue as unknown)).toEqual([
      'Austria',
      'Korea, South, XX, Germany, a,b',
    ]);
    // An answer that comes later, from a stored submission.
    survey.data = { country: 'KR' };
    await eventually(() => expect(dropdown(survey, 'country').selectedItem?.text).toBe('Korea, South'));
  });

  it('follows the language of the survey, whatever its case', async () => {
    const { options } = await form('country');
    const survey = surveyOf(lazy('country'));
    survey.data = { country: 'DE' };
    loadAdapter()(survey, options);
    const question = dropdown(survey, 'country');
    for (const [locale, label] of [
      ['', 'Germany'],
      ['de', 'Deutschland'],
      ['nl-BE', 'Duutsland'],
      ['fr', 'Germany'],
    ] as const) {
      survey.locale = locale;
      await eventually(() => expect([locale, question.selectedItem?.text]).toEqual([locale, label]));
      question.dropdownListModel.popupModel.show();
      await eventually(() => expect(shown(question)).toContainEqual(['DE', label]));
      expect(shown(question)).toHaveLength(3);
      question.dropdownListModel.popupModel.hide();
    }
  });

  it('cascades: the choices of one question follow the answer of another', async () => {
    const { options, lists } = await form();
    const survey = surveyOf(lazy('country'), lazy('city'));
    loadAdapter()(survey, {
      ...options,
      lists: { country: lists.country, city: { list: lists.city, prefix: '{country}-' } },
    });
    const question = dropdown(survey, 'city');
    const offered = async (count: number, start: string) => {
      question.dropdownListModel.popupModel.show();
      await eventually(() => {
        expect(shown(question)).toHaveLength(count);
        expect(shown(question).every(([value]) => String(value).startsWith(start))).toBe(true);
      });
      question.dropdownListModel.popupModel.hide();
    };
    await offered(0, '');
    survey.setValue('country', 'AT');
    await offered(30, 'AT-');
    survey.setValue('city', 'AT-01');
    survey.setValue('country', 'DE');
    expect(survey.getValue('city')).toBeUndefined();
    await offered(30, 'DE-');
    question.dropdownListModel.popupModel.show();
    question.dropdownListModel.filterString = '1';
    await eventually(() =>
      expect(shown(question).map(([value]) => value)).toEqual(['DE-10', 'DE-12', 'DE-14', 'DE-16', 'DE-18']),
    );
  });

  it('drops answers that arrive after a newer query was asked', async () => {
    const { options } = await form('country');
    const held: (() => void)[] = [];
    const slow: typeof fetch = async (url, init) => {
      const reply = await fetch(url, init);
      if (String(url).includes('query=Ger&')) await new Promise<void>((resolve) => held.push(resolve));
      return reply;
    };
    const survey = surveyOf(lazy('country'));
    loadAdapter(slow)(survey, options);
    const question = dropdown(survey, 'country');
    const { dropdownListModel } = question;
    dropdownListModel.popupModel.show();
    dropdownListModel.filterString = 'Ger';
    await eventually(() => held.length === 1);
    dropdownListModel.filterString = 'Aus';
    await eventually(() => expect(shown(question).map(([value]) => value)).toEqual(['AT']));
    held[0]!();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(shown(question).map(([value]) => value)).toEqual(['AT']);
  });

  it('requests one new token after a 401, and reports failures', async () => {
    const { options, token } = await form('country');
    const asked: boolean[] = [];
    const errors: string[] = [];
    const survey = surveyOf(lazy('country'));
    const disconnect = loadAdapter()(survey, {
      ...options,
      token: (again) => {
        asked.push(again);
        return again ? token : 'expired';
      },
      onError: ({ message }) => errors.push(message),
    });
    const question = dropdown(survey, 'country');
    question.dropdownListModel.popupModel.show();
    await eventually(() => expect(shown(question)).toHaveLength(3));
    expect([asked, errors]).toEqual([[false, true], []]);
    disconnect();

    const other = surveyOf(lazy('country'));
    loadAdapter()(other, { ...options, formId: newId(), onError: ({ message }) => errors.push(message) });
    dropdown(other, 'country').dropdownListModel.popupModel.show();
    await eventually(() =>
      expect(errors).toEqual([expect.stringMatching(/^search of list \d+ answered 403$/)]),
    );
    expect(shown(dropdown(other, 'country'))).toEqual([]);
  });

  it('resolves many long values by as many requests as their addresses need', async () => {
    const long = Array.from({ length: 200 }, (_, n) => ({
      value: `${'długa wartość '.repeat(8)}${n}`,
      labels: { default: `Label ${n}` },
    }));
    const { options, lists } = await formWithLists(harness, long);
    const survey = surveyOf({ ...lazy('many'), type: 'tagbox' });
    survey.data = { many: long.map(({ value }) => value) };
    loadAdapter()(survey, { ...options, lists: { many: lists.city } });
    await eventually(() =>
      expect(tagbox(survey, 'many').selectedItems.map(({ text }) => text)).toEqual(
        long.map(({ labels }) => labels.default),
      ),
    );
  });

  it('resolves the answers of many questions with one request for each list', async () => {
    const { options, lists } = await form();
    const urls: string[] = [];
    const counted: typeof fetch = (url, init) => {
      urls.push(String(url));
      return fetch(url, init);
    };
    const names = Array.from({ length: 12 }, (_, n) => `q${n}`);
    const survey = surveyOf(...names.map((name) => lazy(name)));
    survey.data = Object.fromEntries(names.map((name, n) => [name, cities[n]!.value]));
    loadAdapter(counted)(survey, {
      ...options,
      lists: Object.fromEntries(names.map((name) => [name, lists.city])),
    });
    await eventually(() =>
      expect(names.map((name) => dropdown(survey, name).selectedItem?.text)).toEqual(
        names.map((_name, n) => cities[n]!.labels['default']),
      ),
    );
    expect(urls.filter((url) => url.includes('/display-values'))).toHaveLength(1);
  });
});

describe('choicesByUrl, without the adapter', () => {
  beforeAll(() => Object.assign(globalThis, { XMLHttpRequest: FetchedRequest }));
  afterAll(() => {
    Object.assign(globalThis, { XMLHttpRequest: undefined });
    settings.web.onBeforeRequestChoices = () => undefined;
  });

  async function byUrl() {
    const { options, lists, formId, token } = await form();
    settings.web.onBeforeRequestChoices = (_sender, { request }) =>
      request!.setRequestHeader('authorization', `Bearer ${token}`);
    const search = (list: string) => `${options.baseUrl}api/public/forms/${formId}/data-lists/${list}/search`;
    return { country: search(lists.country), city: search(lists.city) };
  }

  it('shows labels of every language, and switches', async () => {
    const url = await byUrl();
    const survey = surveyOf({
      type: 'dropdown',
      name: 'country',
      choicesByUrl: {
        url: `${url.country}?take=200&includeLocales=de,nl-BE`,
        path: 'items',
        valueName: 'value',
        titleName: 'labels',
      },
    });
    survey.data = { country: 'DE' };
    const question = dropdown(survey, 'country');
    await eventually(() => expect(shown(question).map(([value]) => value)).toEqual(['AT', 'DE', 'KR']));
    expect(question.selectedItem?.text).toBe('Germany');
    survey.locale = 'de';
    expect(question.selectedItem?.text).toBe('Deutschland');
    expect(shown(question)).toContainEqual(['AT', 'Österreich']);
  });

  it('cascades by query', async () => {
    const url = await byUrl();
    const survey = surveyOf(
      { type: 'text', name: 'country' },
      {
        type: 'dropdown',
        name: 'city',
        choicesByUrl: {
          url: `${url.city}?take=200&matchMode=StartsWith&query={country}-`,
          path: 'items',
          valueName: 'value',
          titleName: 'labels.default',
        },
      },
    );
    const question = dropdown(survey, 'city');
    expect(shown(question)).toEqual([]);
    for (const [country, count] of [
      ['AT', 47],
      ['DE', 48],
    ] as const) {
      survey.setValue('country', country);
      await eventually(() => expect(shown(question)).toHaveLength(count));
      expect(shown(question).every(([value]) => String(value).startsWith(`${country}-`))).toBe(true);
    }
  });
});
