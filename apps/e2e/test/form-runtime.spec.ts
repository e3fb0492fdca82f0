import { clientOf, eventually } from '@canvass/testing';
import { settings } from 'survey-core';
import { signIn, type Callers } from '../src/client';
import { dropdown, FetchedRequest, loadAdapter, scrollToEnd, shown, surveyOf } from '../src/survey';

interface Item {
  value: string;
  labels: Record<string, string>;
}

const countries: Item[] = [
  { value: 'DE', labels: { default: 'Germany', de: 'Deutschland', 'nl-be': 'Duutsland' } },
  { value: 'AT', labels: { default: 'Austria', de: 'Österreich' } },
  { value: 'KR', labels: { default: 'Korea, South', de: 'Südkorea' } },
];
const cities: Item[] = Array.from({ length: 95 }, (_, n) => ({
  value: `${['DE', 'AT'][n % 2]}-${n}`,
  labels: { default: `City ${String(n).padStart(2, '0')}` },
}));

/** A survey of survey-core that reads the lists of a public form through the gateway, without an account. */
describe('a survey of a public form', () => {
  let callers: Callers;
  let formId: string;
  let lists: { country: string; city: string };

  beforeAll(async () => {
    settings.dropdownSearchDelay = 0;
    callers = await signIn();
    const { admin } = callers;
    const listOf = async (name: string, items: Item[]) => {
      const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', { name });
      const body = { items, ensureLocales: ['de', 'nl-be'] };
      await admin.expect(200, 'PUT', `/api/data-lists/${id}/import`, body);
      return id;
    };
    lists = { country: await listOf('Countries', countries), city: await listOf('Cities', cities) };
    const form = { name: 'Where?', isEnabled: true, dataListIds: Object.values(lists) };
    formId = (await admin.expect<{ id: string }>(201, 'POST', '/api/forms', form)).id;
  });

  const tokenOf = async (form: string) =>
    (
      await callers.anonymous.expect<{ token: string }>(
        200,
        'POST',
        `/api/public/forms/${form}/access-tokens`,
      )
    ).token;

  describe('through the adapter', () => {
    let failures: string[];
    const connected = async (...elements: object[]) => {
      const survey = surveyOf(...elements);
      const { connectDataLists: connect } = await loadAdapter(callers.gatewayUrl);
      return {
        survey,
        connect: (options: Record<string, string | { list: string; prefix: string }>) =>
          connect(survey, {
            baseUrl: callers.gatewayUrl,
            formId,
            lists: options,
            onError: ({ message }) => failures.push(message),
          }),
      };
    };
    beforeEach(() => (failures = []));
    afterEach(() => expect(failures).toEqual([]));

    it('loads a complete list, each choice once, with a token that it fetches itself', async () => {
      const { survey, connect } = await connected({
        type: 'dropdown',
        name: 'city',
        choicesLazyLoadPageSize: 30,
      });
      connect({ city: lists.city });
      const question = dropdown(survey, 'city');
      question.dropdownListModel.popupModel.show();
      for (const expected of [30, 60, 90, 95]) {
        await eventually(() => expect(shown(question)).toHaveLength(expected));
        scrollToEnd(question);
      }
      expect(shown(question).map(([, text]) => text)).toEqual(cities.map(({ labels }) => labels['default']));
    });

    it('shows the label of a stored answer in the language of the survey', async () => {
      const { survey, connect } = await connected({ type: 'dropdown', name: 'country' });
      survey.data = { country: 'DE' };
      connect({ country: lists.country });
      const question = dropdown(survey, 'country');
      await eventually(() => expect(question.selectedItem?.text).toBe('Germany'));
      survey.locale = 'de';
      await eventually(() => expect(question.selectedItem?.text).toBe('Deutschland'));
      question.dropdownListModel.popupModel.show();
      question.dropdownListModel.filterString = 'osterr';
      await eventually(() => expect(shown(question)).toEqual([['AT', 'Österreich']]));
      survey.locale = 'nl-BE';
      await eventually(() => expect(question.selectedItem?.text).toBe('Duutsland'));
    });

    it('cascades: the country filters the cities', async () => {
      const { survey, connect } = await connected(
        { type: 'dropdown', name: 'country' },
        { type: 'dropdown', name: 'city', choicesLazyLoadPageSize: 50 },
      );
      connect({ country: lists.country, city: { list: lists.city, prefix: '{country}-' } });
      const question = dropdown(survey, 'city');
      for (const [country, count] of [
        ['AT', 47],
        ['DE', 48],
      ] as const) {
        survey.setValue('country', country);
        question.dropdownListModel.popupModel.show();
        await eventually(() => expect(shown(question)).toHaveLength(count));
        expect(shown(question).every(([value]) => String(value).startsWith(`${country}-`))).toBe(true);
        question.dropdownListModel.popupModel.hide();
      }
    });
  });

  describe('through choicesByUrl', () => {
    let search: (list: string) => string;
    beforeAll(async () => {
      const token = await tokenOf(formId);
      Object.assign(globalThis, { XMLHttpRequest: FetchedRequest });
      settings.web.onBeforeRequestChoices = (_sender, { request }) =>
        request.setRequestHeader('authorization', `Bearer ${token}`);
      search = (list) => `${callers.gatewayUrl}/api/public/forms/${formId}/data-lists/${list}/search`;
    });
    afterAll(() => {
      Object.assign(globalThis, { XMLHttpRequest: undefined });
      settings.web.onBeforeRequestChoices = () => undefined;
    });

    it('shows labels in every language, also of stored answers, and cascades by query', async () => {
      const survey = surveyOf(
        {
          type: 'dropdown',
          name: 'country',
          choicesByUrl: {
            url: `${search(lists.country)}?take=200&includeLocales=de,nl-BE`,
            path: 'items',
            valueName: 'value',
            titleName: 'labels',
          },
        },
        {
          type: 'dropdown',
          name: 'city',
          choicesByUrl: {
            url: `${search(lists.city)}?take=200&matchMode=StartsWith&query={country}-`,
            path: 'items',
            valueName: 'value',
            titleName: 'labels.default',
          },
        },
      );
      survey.data = { country: 'DE' };
      const country = dropdown(survey, 'country');
      await eventually(() => expect(shown(country)).toHaveLength(3));
      expect(country.selectedItem?.text).toBe('Germany');
      survey.locale = 'de';
      expect(country.selectedItem?.text).toBe('Deutschland');
      await eventually(() => expect(shown(dropdown(survey, 'city'))).toHaveLength(48));
      survey.setValue('country', 'AT');
      await eventually(() => expect(shown(dropdown(survey, 'city'))).toHaveLength(47));
    });
  });

  it('is readable with the next token as soon as a change of the form has been confirmed', async () => {
    const { admin } = callers;
    const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
      name: 'Later',
      isEnabled: false,
    });
    for (const [change, list] of [
      [{ isEnabled: true, dataListIds: [lists.country] }, lists.country],
      [{ dataListIds: [lists.city] }, lists.city],
    ] as const) {
      await admin.expect(200, 'PATCH', `/api/forms/${id}`, change);
      const runtime = clientOf(callers.gatewayUrl, await tokenOf(id));
      await runtime.expect(200, 'GET', `/api/public/forms/${id}/data-lists/${list}/search`);
    }
  });

  it.each([
    ['disabled', 403, 'PATCH', { isEnabled: false }],
    ['deleted', 404, 'DELETE', undefined],
  ] as const)('closes its lists within two seconds when it is %s', async (_what, refusal, method, change) => {
    // The minimum of several measurements, because the machine may be busy.
    let quickest = Infinity;
    for (let attempt = 0; attempt < 5 && quickest >= 2_000; attempt++) {
      const form = { name: 'Short-lived', isEnabled: true, dataListIds: [lists.country] };
      const { id } = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', form);
      const runtime = clientOf(callers.gatewayUrl, await tokenOf(id));
      const path = `/api/public/forms/${id}/data-lists/${lists.country}/search`;
      await eventually(() => runtime.expect(200, 'GET', path));
      const { status } = await callers.admin.call(method, `/api/forms/${id}`, change);
      expect(status).toBeLessThan(300);
      const changed = performance.now();
      await eventually(() => runtime.expect(refusal, 'GET', path));
      quickest = Math.min(quickest, performance.now() - changed);
    }
    expect(quickest).toBeLessThan(2_000);
  });
});
