import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import { barriers, type ConsoleWindow } from '../src/browser';
import { enter, startStage, type Stage } from '../src/console';

let stage: Stage;
let stranger: Server;
let strangerUrl: string;
/** The requests to a server outside of the console. */
const asked: string[] = [];
beforeAll(async () => {
  stage = await startStage();
  stranger = createServer((request, response) => {
    asked.push(request.url!);
    response.setHeader('Access-Control-Allow-Origin', '*').end('[]');
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  strangerUrl = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
});
afterAll(async () => {
  stranger.close();
  await stage.close();
});

const city = { type: 'text', name: 'city', title: { default: 'Your city?', de: 'Ihre Stadt?' } };
const colour = { type: 'radiogroup', name: 'colour', title: 'A colour?', choices: ['red', 'green'] };

/** The name of the frame says what is in it. */
const preview = (page: Page) => page.frameLocator('iframe[title="The form as respondents see it"]');
const frameOf = (page: Page): Frame => page.frames().find((frame) => frame.url().includes('/preview/'))!;

/** Replaces the text of the editor by what a person pastes. */
async function paste(page: Page, definition: object | string): Promise<void> {
  await page.getByRole('textbox', { name: 'Definition' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(typeof definition === 'string' ? definition : JSON.stringify(definition));
}

/** Opens the preview of a new form by the keyboard. */
async function openPreview(window: ConsoleWindow, definition: object): Promise<void> {
  const name = `Form ${randomUUID()}`;
  const { id } = await stage.callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name,
    definition,
  });
  await enter(window, await stage.newUser(['Editor']), `/forms/${id}/edit`);
  await window.page.getByRole('button', { name: 'Preview' }).press('Enter');
}

it('shows the questions of the editor, keeps answers over changes, and is loaded only then', async () => {
  await stage.journey(async (window) => {
    const { page } = window;
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await openPreview(window, { elements: [city] });
    const input = preview(page).getByRole('textbox', { name: 'Your city?' });
    await input.fill('Vienna');
    const files = loaded.filter((path) => path.includes('/preview/'));
    expect(files.map((path) => path.replace(/-.*\./, '.')).sort()).toEqual([
      '/console/preview/assets/index.js',
      '/console/preview/index.html',
    ]);
    const before = loaded.indexOf(files[0]!);
    expect(loaded.slice(0, before).some((path) => path.includes('definition-page'))).toBe(true);

    await paste(page, { elements: [city, colour] });
    await preview(page).getByText('A colour?').waitFor();
    expect(await input.inputValue()).toBe('Vienna');

    await page.getByRole('combobox', { name: 'Language of the form' }).selectOption('de');
    await preview(page).getByText('Ihre Stadt?').waitFor();
    await page.getByRole('button', { name: 'Clear answers' }).click();
    const cleared = preview(page).getByRole('textbox', { name: 'Ihre Stadt?' });
    await eventually(async () => expect(await cleared.inputValue()).toBe(''));

    await page.getByRole('button', { name: 'Phone' }).click();
    const innerWidth = () => frameOf(page).evaluate('innerWidth');
    await eventually(async () => expect(await innerWidth()).toBe(375));
    await page.getByRole('button', { name: 'Desktop' }).click();
    await eventually(async () => expect(await innerWidth()).toBeGreaterThanOrEqual(960));
  });
});

it('shows what is wrong with a definition, and shows the last one without errors in the JSON', async () => {
  await stage.journey(async (window) => {
    const { page } = window;
    await openPreview(window, { elements: [city] });
    await preview(page).getByText('Your city?').waitFor();

    await paste(page, { elements: [city, { type: 'no-such-type', name: 'other' }] });
    await page.getByText('SurveyJS does not understand this:').waitFor();
    await page.getByText('no-such-type').last().waitFor();
    await preview(page).getByText('Your city?').waitFor();

    await paste(page, '{ "elements": [');
    await page.getByText('The preview shows the last text without errors.').waitFor();
    await preview(page).getByText('Your city?').waitFor();
    expect(await barriers(page)).toEqual([]);

    const country = { type: 'dropdown', name: 'country', dataList: '1', dataListPrefix: '{colour}-' };
    await paste(page, { elements: [colour, country] });
    await preview(page).getByText('A colour?').waitFor();
    await eventually(async () => expect(await page.getByText('does not understand').count()).toBe(0));
  });
});

it('reaches neither the network, nor the session, nor the console', async () => {
  await stage.journey(async (window) => {
    const { page } = window;
    await openPreview(window, { elements: [city] });
    await preview(page).getByText('Your city?').waitFor();
    const frame = frameOf(page);
    expect(window.takeFrameFaults()).toEqual([]);

    // Whatever a script in it would try, from its own address, too.
    for (const url of [`${strangerUrl}/fetch`, '/api/forms', `${strangerUrl.replace('http', 'ws')}/socket`]) {
      const attempt = url.startsWith('ws') ? `new WebSocket('${url}')` : `fetch('${url}')`;
      const outcome = await frame.evaluate<string>(
        `(async () => { try { await ${attempt}; return 'no error'; } catch (error) { return error.name; } })()`,
      );
      if (!url.startsWith('ws')) expect([url, outcome]).toEqual([url, 'TypeError']);
      await eventually(() => expect(window.takeFrameFaults().join()).toMatch(/connect-src/));
    }
    for (const reached of ['localStorage', 'document.cookie', 'parent.document', 'parent.location.href']) {
      await expect(frame.evaluate(reached)).rejects.toThrow(/SecurityError/);
    }

    // What a definition may name: addresses, HTML, and a page to go to.
    const html = `<p id="kept">Kept</p><img src="${strangerUrl}/image"><iframe src="${strangerUrl}/frame"></iframe>
      <meta http-equiv="refresh" content="0;url=/console/preview/index.html?left"><a href="/console?left">A link</a>
      <form action="${strangerUrl}/form"><button>Send</button></form><img src="data:," onerror="fetch('${strangerUrl}/script')">`;
    await paste(page, {
      cookieName: 'answered',
      navigateToUrl: `${strangerUrl}/left`,
      completedHtml: 'Thank you',
      elements: [
        { type: 'html', name: 'text', html },
        { type: 'dropdown', name: 'list', choicesByUrl: { url: `${strangerUrl}/choices` } },
      ],
    });
    await preview(page).getByText('Kept').waitFor();
    await preview(page).getByText('A link').click();
    await preview(page).getByRole('button', { name: 'Send' }).click();
    await preview(page).getByRole('button', { name: 'Complete' }).click();
    await preview(page).getByText('Thank you').waitFor();
    const faults = window.takeFrameFaults().join('\n');
    for (const directive of ['img-src', 'connect-src', 'script-src-attr'])
      expect(faults).toContain(directive);
    expect(frameOf(page).url()).not.toContain('left');
    expect(asked).toEqual([]);
  });
});

it('is stopped when a definition keeps it busy, while the editor continues', async () => {
  await stage.journey(async (window) => {
    const { page } = window;
    await openPreview(window, { elements: [city] });
    await preview(page).getByText('Your city?').waitFor();
    const endless = { type: 'regex', regex: '^(a+)+$' };
    await paste(page, {
      checkErrorsMode: 'onValueChanged',
      elements: [{ ...city, defaultValue: `${'a'.repeat(60)}!`, validators: [endless] }, colour],
    });
    await page.getByText('The preview did not answer for 5 seconds').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    await paste(page, { elements: [colour] });
    await preview(page).getByText('A colour?').waitFor();
  });
});

describe('axe finds nothing serious', () => {
  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('in the preview and around it, in %s, %i pixels wide', async (colorScheme, width) => {
    await stage.journey(
      async (window) => {
        const { page } = window;
        await openPreview(window, { title: 'A form', elements: [city, colour] });
        await preview(page).getByText('A colour?').waitFor();
        expect(await barriers(page)).toEqual([]);
        expect(await barriers(frameOf(page))).toEqual([]);
        const scheme = await frameOf(page).evaluate('getComputedStyle(document.documentElement).colorScheme');
        expect(scheme).toBe(colorScheme);
      },
      { colorScheme, width },
    );
  });
});
