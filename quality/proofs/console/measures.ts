import type { Browser } from 'playwright-core';
import { detachedGrids, heapOf, openFresh, type Speed } from './chromium';
import { displayIdOf, questions, type Data } from './data';
import { scrolling, sinceInput, type Found, type Scrolled } from './in-page';
import { costOf, journeys, settled, visit, type Cost } from './journeys';
import type { Figure, Section } from './report';

export interface Setting {
  browser: Browser;
  gatewayUrl: string;
  data: Data;
  /** How often each figure is taken. */
  runs: number;
}

const names: Record<Speed, string> = { fast: '', slow: ', slow' };
const speeds: readonly Speed[] = ['fast', 'slow'];

/** Takes a figure several times, one after the other. */
async function taken<T>(runs: number, take: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await take());
  return all;
}

/** The first page, in a browser that has nothing of the console in its cache. */
export async function measureLoading({ browser, gatewayUrl, data, runs }: Setting): Promise<Section> {
  const targets = { fast: { 'Sign-in': 400, Overview: 800 }, slow: { 'Sign-in': 1_500, Overview: 2_500 } };
  const figures: Figure[] = [];
  for (const speed of speeds) {
    for (const page of ['Sign-in', 'Overview'] as const) {
      const login = page === 'Sign-in' ? null : data.login;
      const found = await taken(runs, async () => {
        const fresh = await openFresh(browser, { gatewayUrl, speed, login });
        await fresh.page.goto('/console');
        await fresh.page.locator('h1').waitFor();
        await settled(fresh.page);
        await fresh.page.waitForLoadState('networkidle'); // nothing larger comes
        const own = await fresh.page.evaluate<Found>('found');
        await fresh.close();
        return own;
      });
      const lcp = found.map((own) => own.lcp);
      figures.push({
        what: `${page}: largest contentful paint${names[speed]}`,
        values: lcp,
        unit: 'ms',
        target: targets[speed][page],
      });
      const tasks = found.map((own) => Math.max(0, ...own.tasks.map(([, ms]) => ms)));
      const task = { unit: 'ms', target: speed === 'fast' ? 100 : 200, least: 50 } as const;
      figures.push({ what: `${page}: longest task${names[speed]}`, values: tasks, ...task });
      const shifts = found.map((own) => own.shifts.reduce((sum, [, score]) => sum + score, 0));
      figures.push({ what: `${page}: CLS${names[speed]}`, values: shifts, unit: '', target: 0.02 });
    }
  }
  return {
    title: 'The first page',
    about: 'With an empty cache, from the start of the navigation.',
    figures,
  };
}

/** Each journey: its slowest interaction, longest task, and shifts. */
export async function measureJourneys({ browser, gatewayUrl, data, runs }: Setting): Promise<Section> {
  const figures: Figure[] = [];
  for (const speed of speeds) {
    const costs = new Map<string, Cost[]>(journeys.map(({ name }) => [name, []]));
    for (let run = 0; run < runs; run += 1) {
      const fresh = await openFresh(browser, { gatewayUrl, speed, login: data.login });
      await fresh.page.goto('/console');
      await fresh.page.locator('main h1').waitFor();
      await settled(fresh.page);
      for (const journey of journeys) costs.get(journey.name)!.push(await costOf(fresh.page, journey, data));
      await fresh.close();
    }
    const target = speed === 'fast' ? 100 : 200;
    for (const [name, all] of costs) {
      const figure = (what: string, values: number[], least: number): Figure => ({
        what: `${name}: ${what}${names[speed]}`,
        values,
        unit: 'ms',
        target,
        least,
      });
      figures.push(
        figure(
          'interaction',
          all.map(({ interaction }) => interaction),
          16,
        ),
      );
      figures.push(
        figure(
          'longest task',
          all.map(({ task }) => task),
          50,
        ),
      );
      const shifts = all.map(({ shift }) => shift);
      figures.push({ what: `${name}: CLS${names[speed]}`, values: shifts, unit: '', target: 0.02 });
    }
  }
  const about = 'The slowest interaction and the longest task of each journey. Pages are loaded on the way.';
  return { title: 'Journeys', about, figures };
}

/** A form with many submissions, all of whose questions are columns. */
export async function measureSubmissions(setting: Setting): Promise<Section> {
  const { browser, gatewayUrl, data, runs } = setting;
  const { formId, submissions, subject, login } = data;
  const shown = Array.from({ length: questions }, (_, n) => [`answers.q${n + 1}`, false]);
  const layouts = { [`submissions-${formId}`]: { hidden: Object.fromEntries(shown) } };
  const kept = JSON.stringify(JSON.stringify({ layouts }));
  const script = `localStorage.setItem('canvass-own-${subject}', ${kept});`;
  const first = (text: string) =>
    `document.querySelector('[role=grid] [aria-rowindex="2"]')?.textContent.includes('${text}')`;
  const newest = displayIdOf(submissions);
  const times = await taken(runs, async () => {
    const fresh = await openFresh(browser, { gatewayUrl, login, script });
    const { page } = fresh;
    const own = async (condition: string, from: 'input' | 'navigation' = 'input') =>
      (await page.evaluate<{ own: number }>(sinceInput(condition, from))).own;
    await page.goto(`/console/forms/${formId}/submissions`);
    const rows = await own(first(newest), 'navigation');
    const columns = Number(await page.getByRole('grid').getAttribute('aria-colcount'));
    if (columns < questions) throw new Error(`The grid has ${columns} columns.`);
    await settled(page);
    await page.getByLabel('Filter by display id').fill('P0512');
    await page.keyboard.press('Enter');
    const filter = await own(first('P0512'));
    await page.getByLabel('Filter by display id').fill('');
    await page.keyboard.press('Enter');
    await page.locator('[role=grid] [aria-rowindex="2"]', { hasText: newest }).waitFor();
    await settled(page);
    // Columns out of sight are not in the page: the last ones are reached by their key.
    await page.locator('[role=grid] [aria-rowindex="2"] [role=gridcell]').nth(1).click();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    await settled(page);
    await page.keyboard.press('Enter');
    const sort = await own(first(displayIdOf(1)));
    await fresh.close();
    return { rows, filter, sort };
  });
  const figure = (what: string, name: keyof (typeof times)[number], target: number): Figure => ({
    what,
    values: times.map((own) => own[name]),
    unit: 'ms',
    target,
  });
  return {
    title: `${submissions.toLocaleString('en')} submissions with ${questions} columns of answers`,
    about:
      'What the console takes beyond the time in which requests of the API are on their way. The first rows are counted from the start of the navigation.',
    figures: [
      figure('First rows', 'rows', 800),
      figure('Filter by display id', 'filter', 500),
      figure('Sort by display id, which shows the end of the list', 'sort', 500),
    ],
  };
}

const scrollSpeed = 5_000;

/** Long lists, scrolled for 20 seconds, and their last row. */
export async function measureScrolling(setting: Setting, seconds: number): Promise<Section> {
  const { browser, gatewayUrl, data, runs } = setting;
  const figures: Figure[] = [];
  for (const { id, items } of data.lists) {
    const found = await taken(runs, async () => {
      const fresh = await openFresh(browser, { gatewayUrl, login: data.login });
      await fresh.page.goto(`/console/data-lists/${id}`);
      await fresh.page.locator('[role=grid] [aria-rowindex="2"] [lang]').first().waitFor();
      await settled(fresh.page);
      const scrolled = await fresh.page.evaluate<Scrolled>(scrolling(seconds, scrollSpeed));
      await fresh.page.locator('[role=grid] [tabindex="0"]').focus();
      await fresh.page.keyboard.press('Control+End');
      const last = `document.activeElement.closest('[aria-rowindex="${items + 1}"]')?.textContent !== ''
        && document.activeElement.closest('[aria-rowindex="${items + 1}"]') !== null`;
      const end = await fresh.page.evaluate<{ own: number; api: number }>(sinceInput(last, 'input'));
      await fresh.close();
      return { ...scrolled, end: end.own };
    });
    const name = `${items.toLocaleString('en')} items`;
    figures.push({
      what: `${name}: frames`,
      values: found.map(({ frames }) => frames / seconds),
      unit: 'frames/s',
      target: 55,
      isRate: true,
    });
    figures.push({
      what: `${name}: longest time with a row without content`,
      values: found.map(({ blank }) => blank),
      unit: 'ms',
      target: 150,
    });
    figures.push({
      what: `${name}: the last row, beyond the time of the API`,
      values: found.map(({ end }) => end),
      unit: 'ms',
      target: 800,
    });
  }
  const about = `Each list is scrolled for ${seconds} s at ${scrollSpeed.toLocaleString('en')} pixels of the scrollbar a second. Its labels have six languages. A list of a million items is longer than the range of a browser: there, a pixel of the scrollbar is 3.4 pixels of the list.`;
  return { title: 'Long lists', about, figures };
}

/** Journeys in a circle: what remains in memory. */
export async function measureMemory(setting: Setting, minutes: number): Promise<Section> {
  const { browser, gatewayUrl, data } = setting;
  const fresh = await openFresh(browser, { gatewayUrl, login: data.login });
  const { page, cdp } = fresh;
  await page.goto('/console');
  await page.locator('main h1').waitFor();
  const circle = async () => {
    for (const journey of journeys) await journey.run(page, data);
    await visit(page, '/health');
  };
  const nodes = async () => (await cdp.send('Memory.getDOMCounters')).nodes;
  // Answers stay in memory for five minutes: the first circles fill it.
  const warmUp = Math.min(5.5, minutes / 2) * 60_000;
  const begin = performance.now();
  let circles = 0;
  for (; performance.now() - begin < warmUp; circles += 1) await circle();
  // What the observers keep grows with each interaction.
  const heap = async () => {
    await page.evaluate('Object.assign(found, { tasks: [], interactions: {}, shifts: [] })');
    return heapOf(cdp);
  };
  const before = { heap: await heap(), nodes: await nodes() };
  for (; performance.now() - begin < minutes * 60_000; circles += 1) await circle();
  const after = { heap: await heap(), nodes: await nodes() };
  const detached = await detachedGrids(cdp);
  await fresh.close();
  const growth = (own: 'heap' | 'nodes') => [(after[own] / before[own] - 1) * 100];
  return {
    title: 'Memory',
    about: `${circles} circles through the journeys in ${minutes} minutes. Answers of the API stay in memory for up to five minutes, so the growth is that after the first ${(warmUp / 60_000).toFixed(1)} minutes: from ${(before.heap / 1e6).toFixed(1)} to ${(after.heap / 1e6).toFixed(1)} MB.`,
    figures: [
      { what: 'Growth of the memory', values: growth('heap'), unit: '%', target: 10 },
      { what: 'Growth of the number of nodes', values: growth('nodes'), unit: '%', target: 10 },
      { what: 'Grids that are in no page', values: [detached], unit: '', target: 0 },
    ],
  };
}

/** A file of a million lines in the import wizard, to the line of its error. */
export async function measureImport(setting: Setting): Promise<Section> {
  const { browser, gatewayUrl, data, runs } = setting;
  const { file, emptyListId, login } = data;
  const found = await taken(Math.min(runs, 3), async () => {
    const fresh = await openFresh(browser, { gatewayUrl, login });
    const { page, cdp } = fresh;
    await page.goto(`/console/data-lists/${emptyListId}/import`);
    await settled(page);
    await page.evaluate("addEventListener('change', (event) => { found.input = event.timeStamp; }, true)");
    await page.evaluate('Object.assign(found, { tasks: [], interactions: {} })');
    await page.locator('input[type=file]').setInputFiles(file.path);
    const row = "[...document.querySelectorAll('td')].some(({ textContent }) => textContent === 'p200')";
    const { own, api } = await page.evaluate<{ own: number; api: number }>(sinceInput(row, 'input'));
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('heading', { name: 'Errors: 1' }).waitFor({ timeout: 300_000 });
    await page.getByRole('button', { name: `Show line ${file.faultLine.toLocaleString('en')}` }).click();
    await page
      .getByText(`p${file.faultLine - 1},`)
      .first()
      .waitFor();
    await page.waitForTimeout(400);
    const { tasks } = await page.evaluate<Found>('found');
    const heap = await heapOf(cdp);
    await fresh.close();
    return { preview: own + api, task: Math.max(0, ...tasks.map(([, ms]) => ms)), heap: heap / 1e6 };
  });
  return {
    title: 'Import wizard',
    about: `A CSV file of ${file.lines.toLocaleString('en')} lines (${Math.round(file.bytes / 1e6)} MB) is chosen, sent to be checked, and its one error is shown in line ${file.faultLine.toLocaleString('en')} of the file.`,
    figures: [
      {
        what: 'Preview of the first rows',
        values: found.map(({ preview }) => preview),
        unit: 'ms',
        target: 1_000,
      },
      { what: 'Memory of the page', values: found.map(({ heap }) => heap), unit: 'MB', target: 150 },
      { what: 'Longest task', values: found.map(({ task }) => task), unit: 'ms', target: 50, least: 50 },
    ],
  };
}
