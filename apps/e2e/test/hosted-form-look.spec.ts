// cspell:ignore Abschließen Herzlichen Noch Weiter etwas
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { barriers } from '../src/browser';
import { startStage, type Stage } from '../src/console';
import { cityForm, submissionsOf } from '../src/hosted-form';

/** What a form sets for its page: address, look, frames and where it leads. */
let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const overflow = 'document.documentElement.scrollWidth - innerWidth';
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40"><rect width="160" height="40" rx="8" fill="#d6006d"/></svg>';
const logo = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

/** A page of another origin. */
async function startOtherOrigin(html: () => string) {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

it.each(['light', 'dark'] as const)(
  'has the colours of the form in %s, which can be read, and its logo',
  async (scheme) => {
    for (const accent of ['#ffee00', '#0b3d91']) {
      const slug = `colours-${randomUUID()}`;
      await cityForm(stage.callers, { slug, page: { accent, logo, scheme } });
      const other = scheme === 'light' ? 'dark' : 'light';
      await stage.journey(
        async ({ page }) => {
          await page.goto(`/f/${slug}`);
          await page.getByRole('textbox', { name: 'Your name' }).fill('Ada');
          expect([await barriers(page), await page.evaluate(overflow)]).toEqual([[], 0]);
          const sheet = await page.evaluate(
            'getComputedStyle(document.querySelector(".sd-question")).backgroundColor',
          );
          expect(sheet).toBe(scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(28, 27, 32)');
          await page.locator('header img').waitFor();
          await page.getByRole('button', { name: 'Next' }).click();
          await page.getByRole('button', { name: 'Complete' }).waitFor();
          expect([await barriers(page), await page.evaluate(overflow)]).toEqual([[], 0]);
        },
        { width: 320, colorScheme: other },
      );
    }
  },
);

it('is embedded by a permitted origin, as high as its content, where the frame has no storage', async () => {
  let formId = '';
  const gateway = stage.callers.gatewayUrl;
  const host = await startOtherOrigin(
    () =>
      `<h1>Host</h1><script src="${gateway}/f/embed.js" data-form="${formId}" data-lang="de" async></script>`,
  );
  try {
    formId = await cityForm(stage.callers, { page: { frameAncestors: [host.origin] } });
    await stage.journey(async ({ page }) => {
      await page.addInitScript(`if (window.parent !== window) Object.defineProperty(globalThis, 'localStorage', {
        get() { throw new DOMException('No storage', 'SecurityError'); } });`);
      await page.goto(host.origin);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('textbox', { name: 'Ihr Name' }).fill('Ada');
      const inner = page.frames()[1]!;
      const isAsHigh = () =>
        eventually(async () => {
          const content = await inner.evaluate<number>(
            'Math.ceil(document.documentElement.getBoundingClientRect().height)',
          );
          expect(await page.evaluate('document.querySelector("iframe").offsetHeight')).toBe(content);
          return content;
        });
      const first = await isAsHigh();
      await frame.getByRole('button', { name: 'Weiter' }).click();
      await frame.getByRole('textbox', { name: 'Noch etwas?' }).waitFor();
      expect(await isAsHigh()).not.toBe(first);
      // Only the page of the form decides how high it is.
      await page.evaluate('postMessage({ canvassHeight: 5000 }, "*")');
      await frame.getByRole('button', { name: 'Abschließen' }).click();
      await frame.getByRole('heading', { name: 'Herzlichen Dank' }).waitFor();
      expect(await isAsHigh()).toBeLessThan(first);
    });
    const stored = await submissionsOf(stage.callers, formId);
    expect(stored).toMatchObject([{ isComplete: true, jsonData: '{"name":"Ada"}' }]);
  } finally {
    host.close();
  }
});

it('is not embedded by another origin', async () => {
  let formId = '';
  const gateway = stage.callers.gatewayUrl;
  const host = await startOtherOrigin(
    () => `<script src="${gateway}/f/embed.js" data-form="${formId}"></script>`,
  );
  try {
    formId = await cityForm(stage.callers, { page: { frameAncestors: ['https://www.example.org'] } });
    await stage.journey(async (window) => {
      const refused = window.page.waitForEvent('console', (line) => line.text().includes('frame-ancestors'));
      await window.page.goto(host.origin);
      await refused;
      expect(await window.page.frames()[1]!.locator('form, input').count()).toBe(0);
      window.takeFrameFaults();
    });
  } finally {
    host.close();
  }
});

it.each([
  ['its own address', {}, 'https://www.example.org/thanks'],
  [
    'that of the definition on a listed host',
    { navigateToUrl: 'https://other.example.org/a' },
    'https://other.example.org/a',
  ],
  [
    'its own, not that of the definition on another host',
    { navigateToUrl: 'https://evil.example/' },
    'https://www.example.org/thanks',
  ],
])('leads to %s after the completion', async (_, more, target) => {
  const definition = { elements: [{ type: 'text', name: 'a', title: 'A' }], ...more };
  const page = { redirectTo: 'https://www.example.org/thanks', redirectHosts: ['other.example.org'] };
  const formId = await cityForm(stage.callers, { definition, page });
  await stage.journey(async ({ page: tab }) => {
    await tab.route(/example/, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>There</h1>' }),
    );
    await tab.goto(`/f/${formId}`);
    await tab.getByRole('textbox', { name: 'A' }).fill('x');
    await tab.getByRole('button', { name: 'Complete' }).click();
    await tab.waitForURL(target);
  });
  expect(await submissionsOf(stage.callers, formId)).toMatchObject([{ isComplete: true }]);
});
