import { eventually } from '@canvass/testing';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as Survey from 'survey-core';
import { signIn, type Callers } from '../src/client';
import { dropdown, FetchedRequest, loadAdapter, shown, type Adapter } from '../src/survey';

const page = readFileSync(path.resolve(__dirname, '../../../docs/form-runtime.md'), 'utf8');

/** The code blocks of the page in one language, in order. */
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^ *\`\`\``, 'gm'))].map(
    ([, , code]) => code!,
  );

/** Globals of a browser for the scripts of a page. */
type Scope = Record<string, unknown>;

/** Runs code of the page and returns its definitions. */
function run<T>(code: string, scope: Scope, ...defined: string[]): T {
  const body = `${code}\nreturn { ${defined.join(', ')} };`;
  return new Function(...Object.keys(scope), body)(...Object.values(scope)) as T;
}

/** The localStorage of one browser. */
function storage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

/** Runs the code blocks of docs/form-runtime.md against the stack. */
describe('docs/form-runtime.md', () => {
  let callers: Callers;
  let adapter: Adapter;
  let formId: string;
  /** The page with the addresses and ids of this stack. */
  let here: (code: string) => string;

  beforeAll(async () => {
    Survey.settings.dropdownSearchDelay = 0;
    callers = await signIn();
    adapter = await loadAdapter(callers.gatewayUrl);
    const { admin, gatewayUrl } = callers;
    const listOf = async (name: string, items: object[]) => {
      const { id } = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', { name });
      await admin.expect(200, 'PUT', `/api/data-lists/${id}/import`, { items, ensureLocales: ['de'] });
      return id;
    };
    const item = (value: string, label: string) => ({ value, labels: { default: label } });
    const countries = await listOf('Countries', [item('AT', 'Austria'), item('DE', 'Germany')]);
    const cities = await listOf('Cities', [
      item('AT-1', 'Vienna'),
      item('AT-2', 'Graz'),
      item('DE-1', 'Berlin'),
    ]);
    const withLists = (text: string) =>
      text.replaceAll('117427679766773771', countries).replaceAll('117427679766773772', cities);
    const form = {
      name: 'Of the page',
      isEnabled: true,
      dataListIds: [countries, cities],
      definition: JSON.parse(withLists(blocks('json')[0]!)) as object,
    };
    formId = (await admin.expect<{ id: string }>(201, 'POST', '/api/forms', form)).id;
    here = (code) =>
      withLists(code)
        .replaceAll('https://forms.example.org', gatewayUrl)
        .replaceAll('117427680626343951', formId);
  });

  const warned: unknown[] = [];
  const console = { warn: (error: unknown) => warned.push(error) };
  beforeEach(() => warned.splice(0));
  afterEach(() => expect(warned).toEqual([]));

  /** Loads the page in a browser. */
  async function open(localStorage: ReturnType<typeof storage>): Promise<Survey.SurveyModel> {
    const [form, ...others] = blocks('js').filter((code) => code.includes('openForm'));
    expect(others).toEqual([]);
    const scope = { Survey, canvassSurveyjs: adapter, localStorage, console };
    const { openForm } = run<{ openForm(): Promise<Survey.SurveyModel> }>(here(form!), scope, 'openForm');
    return new Promise((resolve, reject) => {
      const inline = /<script>([^]*?)<\/script>/.exec(blocks('html').join('\n'))![1]!;
      const element = { id: 'form' };
      // survey-js-ui needs a document to render the survey.
      const opened = openForm().then((survey) =>
        Object.assign(survey, {
          render: (at: unknown) => (at === element ? resolve(survey) : reject(new Error('where?'))),
        }),
      );
      opened.catch(reject);
      run(inline, {
        openForm: () => opened,
        document: { getElementById: (id: string) => id === 'form' && element },
      });
    });
  }

  interface Submission {
    id: string;
    isComplete: boolean;
    currentPage: number;
    jsonData: string;
  }
  const submissions = async () =>
    (await callers.admin.expect<{ items: Submission[] }>(200, 'GET', `/api/forms/${formId}/submissions`))
      .items;

  it('loads the form, reads its lists, saves each page, resumes after a reload, and submits', async () => {
    const browser = storage();
    const survey = await open(browser);
    const country = dropdown(survey, 'country');
    country.dropdownListModel.popupModel.show();
    await eventually(() =>
      expect(shown(country)).toEqual([
        ['AT', 'Austria'],
        ['DE', 'Germany'],
      ]),
    );
    survey.setValue('country', 'AT');
    const city = dropdown(survey, 'city');
    city.dropdownListModel.popupModel.show();
    await eventually(() => expect(shown(city).map(([value]) => value)).toEqual(['AT-2', 'AT-1']));
    survey.setValue('city', 'AT-1');
    expect(await submissions()).toEqual([]);
    survey.nextPage();
    const [begun] = await eventually(async () => {
      const found = await submissions();
      return found.length === 1 ? found : Promise.reject(new Error(`${found.length} submissions`));
    });
    expect(begun).toMatchObject({ isComplete: false, currentPage: 1 });
    expect(JSON.parse(begun!.jsonData)).toEqual({ country: 'AT', city: 'AT-1' });
    await eventually(() => expect(browser.items.size).toBe(1));

    const again = await open(browser);
    expect([again.currentPageNo, again.data]).toEqual([1, { country: 'AT', city: 'AT-1' }]);
    await eventually(() => expect(dropdown(again, 'city').selectedItem?.text).toBe('Vienna'));
    again.setValue('street', 'Ringstraße 1');
    again.completeLastPage();
    await eventually(() => expect(again.completedState).toBe('success'));
    const [submitted, ...others] = await submissions();
    expect([submitted!.id, submitted!.isComplete, others]).toEqual([begun!.id, true, []]);
    expect(JSON.parse(submitted!.jsonData)).toEqual({ country: 'AT', city: 'AT-1', street: 'Ringstraße 1' });
    expect(browser.items.size).toBe(0);

    expect((await open(browser)).data).toEqual({});
  });

  it('starts a new submission if the token is lost, and keeps the answers of a failed save until the retry', async () => {
    const browser = storage();
    browser.setItem(`canvass-form-${formId}`, 'A'.repeat(43));
    const survey = await open(browser);
    expect(browser.items.size).toBe(0);
    survey.setValue('street', 'x');
    survey.nextPage();
    await eventually(() => expect(browser.items.size).toBe(1));
    await callers.admin.expect(200, 'PATCH', `/api/forms/${formId}`, { isEnabled: false });
    survey.completeLastPage();
    await eventually(() => expect(survey.completedState).toBe('error'));
    await callers.admin.expect(200, 'PATCH', `/api/forms/${formId}`, { isEnabled: true });
    survey.notifier.actionBar.getActionById('save-again').action();
    await eventually(() => expect(survey.completedState).toBe('success'));
    expect(JSON.parse((await submissions())[0]!.jsonData)).toEqual({ street: 'x' });
  });

  it('sends the answers as a new submission if the token has expired before the retry', async () => {
    const browser = storage();
    const survey = await open(browser);
    survey.nextPage();
    await eventually(() => expect(browser.items.size).toBe(1));
    for (const key of browser.items.keys()) browser.setItem(key, 'A'.repeat(43));
    survey.setValue('street', 'late');
    survey.completeLastPage();
    await eventually(() => expect(survey.completedState).toBe('error'));
    survey.notifier.actionBar.getActionById('save-again').action();
    await eventually(() => expect(survey.completedState).toBe('success'));
    expect(JSON.parse((await submissions())[0]!.jsonData)).toEqual({ street: 'late' });
  });

  it('connects lists that are configured in code', async () => {
    const code = blocks('js').find((block) => block.includes('lists: {'))!;
    const { survey, disconnect } = run<{ survey: Survey.SurveyModel; disconnect(): void }>(
      here(code),
      { Survey, canvassSurveyjs: adapter, console },
      'survey',
      'disconnect',
    );
    survey.setValue('country', 'DE');
    const cities = dropdown(survey, 'cities');
    cities.dropdownListModel.popupModel.show();
    await eventually(() => expect(shown(cities)).toEqual([['DE-1', 'Berlin']]));
    disconnect();
  });

  it('reads lists without the adapter', async () => {
    const code = blocks('js').find((block) => block.includes('choicesByUrl'))!;
    const tokens = `/api/public/forms/${formId}/access-tokens`;
    const { token } = await callers.anonymous.expect<{ token: string }>(200, 'POST', tokens);
    Object.assign(globalThis, { XMLHttpRequest: FetchedRequest });
    try {
      const { city } = run<{ city: object }>(here(code), { Survey, token }, 'city');
      const survey = new Survey.SurveyModel({ elements: [{ type: 'text', name: 'country' }, city] });
      survey.setValue('country', 'AT');
      await eventually(() =>
        expect(shown(dropdown(survey, 'city')).map(([value]) => value)).toEqual(['AT-2', 'AT-1']),
      );
    } finally {
      Object.assign(globalThis, { XMLHttpRequest: undefined });
      Survey.settings.web.onBeforeRequestChoices = () => undefined;
    }
  });
});
