import { enter, loaded, startStage, type Stage } from '../src/console';
import { consolePages, type ConsolePage } from '../src/console-pages';
import { startTlsProxy, type Change, type TlsProxy } from '../src/tls-proxy';

/** The console behind a proxy that ends TLS, and with an API that is newer than the console. */

let stage: Stage;
let proxy: TlsProxy;
let pages: ConsolePage[];
beforeAll(async () => {
  stage = await startStage();
  proxy = await startTlsProxy();
  pages = await consolePages(stage.callers);
});
afterAll(() => Promise.all([stage.close(), proxy.close()]));

/**
 * Returns whether the console needs a path to know who it is: a newer version does not change these values.
 */
const isOfSession = (path: string) => path.startsWith('/api/auth/');

type Members = Record<string, unknown>;

/** Changes all objects of a response. The change also gets the name of the member that holds the object. */
function walk(value: unknown, change: (own: Members, holder: string) => Members, holder = ''): unknown {
  if (Array.isArray(value)) return value.map((own) => walk(own, change, holder));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, own]) => [name, walk(own, change, name)]);
  return change(Object.fromEntries(members) as Members, holder);
}

/** Objects with members of one type only. The API promises the type, also of further members. */
const ofTexts = 'labels before after profile submitterProfileSnapshot requestHeaders responseHeaders'.split(
  ' ',
);
const ofNumbers = ['counts', 'faultsByCode', 'outcomes'];

/** A member that the console does not know, in each object. */
const withMembers: Change = (path, body) =>
  isOfSession(path)
    ? body
    : walk(body, (own, holder) => {
        const ofType = ofTexts.includes(holder) ? 'text' : ofNumbers.includes(holder) ? 1 : null;
        return { ...own, memberOfTomorrow: ofType ?? { nested: [1, null] } };
      });

/** Members whose values are of an enumeration that may get more of them. */
const enumerated =
  'status state kind outcome mode collectionStatus action objectType eventName cause format reason source trigger type phase event'.split(
    ' ',
  );

const tomorrow = 'value_of_tomorrow';

/** A value that the console does not know, in each member of an enumeration. */
const withValues: Change = (path, body) =>
  isOfSession(path)
    ? body
    : walk(body, (own) =>
        Object.fromEntries(
          Object.entries(own).map(([name, value]) => [
            name,
            typeof value === 'string' && enumerated.includes(name) ? tomorrow : value,
          ]),
        ),
      );

/** Opens all pages behind the proxy. Returns those that failed, and those that show the new value. */
async function walkPages(change: Change) {
  proxy.change = change;
  const user = await stage.newUser(['Admin']);
  const broken: string[] = [];
  const showing: string[] = [];
  await stage.journey(
    async (window) => {
      await enter(window, user);
      const { page, context } = window;
      for (const { pattern, path } of pages) {
        await window.open(path);
        await loaded(page);
        const text = await page.locator('main').innerText();
        if (text.includes('This part of the page failed')) broken.push(`${pattern}: ${text.slice(0, 300)}`);
        if (text.includes(tomorrow)) showing.push(pattern);
      }
      const [cookie] = await context.cookies(`${proxy.url}/api/auth/session`);
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    },
    { gateway: proxy.url },
  );
  return { broken, showing };
}

it('behind a proxy that ends TLS every page works, also with members that it does not know', async () => {
  expect(await walkPages(withMembers)).toEqual({ broken: [], showing: [] });
});

it('no page fails because of a value that it does not know, and lists show it', async () => {
  const { broken, showing } = await walkPages(withValues);
  expect(broken).toEqual([]);
  expect(showing).toEqual(
    expect.arrayContaining(['/forms/:formId/submissions', '/deliveries', '/recoveries', '/jobs', '/audit']),
  );
});
