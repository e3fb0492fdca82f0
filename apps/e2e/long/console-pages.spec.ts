import type { Page } from 'playwright-core';
import { barriers, shiftsOf } from '../src/browser';
import { enter, loaded, startStage, type Stage } from '../src/console';
import { consolePages, type ConsolePage } from '../src/console-pages';

/**
 * Every page of the console, each with records. It has headings, landmarks, names and a title of its own. The
 * keyboard reaches all of it. It does not move while it loads.
 */

let stage: Stage;
let pages: ConsolePage[];
beforeAll(async () => {
  stage = await startStage();
  pages = await consolePages(stage.callers);
});
afterAll(() => stage.close());

/** Roles whose elements need a name for screen readers. */
const named =
  'button link textbox searchbox combobox checkbox radio slider menuitem tab grid table figure meter progressbar region dialog navigation listbox'.split(
    ' ',
  );

interface AxNode {
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  properties?: { name: string; value: { value: unknown } }[];
}

/** Roles of elements without a name. */
async function withoutName(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] };
  await session.detach();
  return nodes
    .filter(({ ignored, role }) => !ignored && named.includes(role?.value ?? ''))
    .filter(({ name }) => (name?.value ?? '').trim() === '')
    .map(({ role }) => role!.value);
}

const countOf = (page: Page, selector: string) => page.locator(selector).count();

/**
 * Marks the visible controls that Tab must reach. Returns the number of presses that they take. Tab stops at
 * each part of a date field.
 */
const markControls = `(() => {
  const isShown = (own) => own.checkVisibility({ visibilityProperty: true }) && own.getClientRects().length > 0;
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, iframe, [tabindex]')]
    .filter((own) => own.tabIndex >= 0 && !own.disabled && own.closest('[inert]') === null && isShown(own))
    // One of a group of radio buttons is in the order, and one of a toolbar.
    .filter((own) => own.type !== 'radio' || own.checked)
    .filter((own, index, all) => {
      const toolbar = own.closest('[role=toolbar]');
      return toolbar === null || all.findIndex((other) => toolbar.contains(other)) === index;
    });
  controls.forEach((own) => own.setAttribute('data-to-reach', ''));
  const stops = { date: 4, 'datetime-local': 7 };
  return controls.reduce((sum, own) => sum + (stops[own.type] ?? 1), 0);
})()`;

/**
 * Notes the focused element, also in a shadow root. Returns its HTML if its focus cannot be seen. The browser
 * draws the focus ring of the button in a date field. The field does not match `:focus` then. The editor
 * draws its ring some milliseconds after it gets the focus.
 */
const noteFocus = `(async () => {
  let own = document.activeElement;
  own.removeAttribute('data-to-reach');
  while (own.shadowRoot?.activeElement) own = own.shadowRoot.activeElement;
  if (own === document.body || own.tagName === 'IFRAME' || !own.matches(':focus')) return null;
  const styles = [own, own.parentElement, own.closest('.cm-editor, label')].filter(Boolean).map((each) => getComputedStyle(each));
  const isSeen = () => styles.some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none');
  if (!isSeen()) await new Promise((resolve) => setTimeout(resolve, 100));
  return isSeen() ? null : own.outerHTML.slice(0, 120);
})()`;

/** Goes through a page by Tab. Returns controls that it does not reach, or whose focus is invisible. */
async function walkByTab(page: Page): Promise<string[]> {
  await page.evaluate('document.activeElement?.blur?.(), getSelection()?.removeAllRanges()');
  const presses = await page.evaluate<number>(markControls);
  const unseen = new Set<string>();
  const left = () => countOf(page, '[data-to-reach]');
  for (let step = 0; step < presses + 10; step += 1) {
    await page.keyboard.press('Tab');
    const fault = await page.evaluate<string | null>(noteFocus);
    if (fault !== null) unseen.add(`invisible focus: ${fault}`);
    if (step % 10 === 9 && (await left()) === 0) break;
  }
  const missed = await page
    .locator('[data-to-reach]')
    .evaluateAll((all: { outerHTML: string }[]) =>
      all.map((own) => `not reached: ${own.outerHTML.slice(0, 120)}`),
    );
  return [...unseen, ...missed];
}

it('every page has a heading, landmarks, names and a title, and all of it is reached by Tab', async () => {
  const user = await stage.newUser(['Admin']);
  const faults: Record<string, unknown> = {};
  await stage.journey(async (window) => {
    await enter(window, user);
    const { page } = window;
    for (const { pattern, path } of pages) {
      await window.open(path);
      await loaded(page);
      const heading = await page.locator('h1').first().innerText();
      const found = {
        headings: await countOf(page, 'h1'),
        main: await countOf(page, 'main'),
        banner: await page.getByRole('banner').count(),
        navigation: await page.getByRole('navigation', { name: 'Main navigation' }).count(),
        isTitled: (await page.title()).startsWith(`${heading} · `),
        lang: await page.evaluate<string>('document.documentElement.lang'),
        withoutName: await withoutName(page),
        keyboard: await walkByTab(page),
      };
      const wanted = {
        headings: 1,
        main: 1,
        banner: 1,
        navigation: 1,
        isTitled: true,
        lang: 'en',
        withoutName: [],
        keyboard: [],
      };
      if (JSON.stringify(found) !== JSON.stringify(wanted)) faults[pattern] = found;
    }
  });
  expect(faults).toEqual({});
});

/** Visible numbers as long as the id of a record, but for texts that programs wrote. */
const readLongNumbers = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { data, parentElement: own } = texts.currentNode;
    if (/\\d{13}/.test(data) && own.closest('code, pre, textarea, .cm-editor') === null && own.checkVisibility())
      found.push(data);
  }
  return found;
})()`;

/** Returns whether the current tab of a page is beyond the edge of the window. */
const isTabCut =
  "(document.querySelector('main nav [aria-current]')?.getBoundingClientRect().right ?? 0) > innerWidth";

/** What is wrong with a page. */
async function faultsOf(page: Page): Promise<string[]> {
  const found = await barriers(page);
  // Last, because what comes late moves, too.
  const shifts = await shiftsOf(page);
  const moved = shifts.reduce((sum, [share]) => sum + share, 0);
  if (moved >= 0.02) found.push(`moved by ${moved}: ${JSON.stringify(shifts)}`);
  const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
  if (await page.evaluate<boolean>(isWide)) found.push('scrolls sideways');
  if (await page.evaluate<boolean>(isTabCut)) found.push('the current tab is out of sight');
  for (const text of await page.evaluate<string[]>(readLongNumbers)) found.push(`shows an id: ${text}`);
  return found;
}

it.each([
  ['light', 1366],
  ['dark', 390],
] as const)(
  'no page has barriers, moves, scrolls sideways or shows ids, in %s, %i pixels wide',
  async (colorScheme, width) => {
    const user = await stage.newUser(['Admin']);
    const faults: Record<string, string[]> = {};
    const titles = new Set<string>();
    await stage.journey(
      async (window) => {
        await enter(window, user);
        const { page } = window;
        for (const { pattern, path } of pages) {
          await window.open(path);
          await loaded(page);
          const found = await faultsOf(page);
          // A form and a list may have the same name.
          const title = `${pattern.split('/')[1]} ${await page.title()}`;
          if (titles.has(title)) found.push(`has the title of another page: ${title}`);
          titles.add(title);
          if (found.length > 0) faults[pattern] = found;
        }
      },
      { colorScheme, width },
    );
    expect(faults).toEqual({});
  },
);
