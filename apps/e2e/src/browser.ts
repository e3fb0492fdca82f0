import { chromiumBinary } from '@canvass/infra';
import { readFileSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Frame, type Page } from 'playwright-core';
import { environment } from './config';
import { ignoredParameters } from './documented-operations';
import { stackFile } from './stack';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const ignoredBy = ignoredParameters();

/** Starts Chromium: that of the machine, or that of Debian, which is downloaded once per checkout. */
export async function startBrowser(): Promise<Browser> {
  const { program, env, args } = await chromiumBinary((line) => console.error(line));
  return chromium.launch({
    executablePath: program,
    env: { ...(environment as Record<string, string>), ...env },
    args,
  });
}

/** A window of the console with cookies of its own. */
export interface ConsoleWindow {
  context: BrowserContext;
  page: Page;
  /** Opens a path below `/console`. */
  open(path: string): Promise<void>;
  /** Signs in on the page as it is now. */
  signIn(email: string, password: string): Promise<void>;
  /** Returns the address of each page and the beginning of its text, for the report of a failed test. */
  shown(): Promise<string>;
  /** Returns what happened in frames since the last call, which then is no fault of the window. */
  takeFrameFaults(): string[];
  /**
   * @throws {Error} if a page or a frame broke its content security policy, a script threw an error, or the
   * API ignored a parameter of a request
   */
  close(): Promise<void>;
}

export interface WindowOptions {
  colorScheme?: 'light' | 'dark';
  width?: number;
  /** The time zone of the browser. */
  zone?: string;
  /** The language of the browser. */
  locale?: string;
  /** Base URL of the gateway; by default that of the stack. */
  gateway?: string;
}

/** Opens an empty window, by default in English. It keeps its faults. */
export async function openWindow(
  browser: Browser,
  { colorScheme = 'light', width = 1280, zone, locale = 'en-GB', gateway }: WindowOptions = {},
): Promise<ConsoleWindow> {
  const baseURL = gateway ?? (await stackFile()).gatewayUrl;
  const context = await browser.newContext({
    baseURL,
    colorScheme,
    locale,
    ...(zone !== undefined && { timezoneId: zone }),
    viewport: { width, height: 800 },
    reducedMotion: 'reduce', // what fades in has its contrast only at the end
    // A proxy of the tests has a certificate that no authority vouches for.
    ignoreHTTPSErrors: gateway !== undefined,
  });
  const faults: string[] = [];
  const ofFrames: string[] = [];
  await context.exposeBinding('violated', ({ frame }, text: string) => {
    (frame.parentFrame() === null ? faults : ofFrames).push(text);
  });
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      violated('policy: ' + [event.violatedDirective, event.blockedURI, event.sample].join(' ')));`);
  const page = await context.newPage();
  context.on('request', (request) => {
    const ignored = ignoredBy(request.method(), request.url());
    if (ignored.length > 0) faults.push(`ignored parameters: ${request.url()}`);
  });
  context.on('weberror', (error) => void faults.push(`error: ${error.error().message}`));
  // As for every other wait in these tests: the machine may be busy.
  context.setDefaultTimeout(45_000);
  return {
    context,
    page,
    open: async (path) => void (await page.goto(`${baseURL}/console${path}`)),
    async signIn(email, password) {
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    },
    shown: async () => (await Promise.all(context.pages().map(shownBy))).join('\n'),
    takeFrameFaults: () => ofFrames.splice(0),
    async close() {
      await context.close();
      faults.push(...ofFrames.map((fault) => `in a frame: ${fault}`));
      if (faults.length > 0) throw new Error(`The console had faults:\n${faults.join('\n')}`);
    },
  };
}

async function shownBy(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 5_000 })
    .catch(() => '(no text)');
  return `${page.url()} showed:\n${text.slice(0, 3_000)}`;
}

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** React Aria puts hidden buttons, which close a popover, beside it. */
const besidePopover = 'region: <div style="display: contents;">';

/** Returns what axe finds in a page or frame now, best practice included: the rule and the element. */
export async function barriers(page: Page | Frame): Promise<string[]> {
  // Only here: it is half a megabyte of script, which would slow each page down.
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResult>("axe.run({ resultTypes: ['violations'] })");
  // The heading of a frame is that of its page.
  const isFrame = 'parentFrame' in page && page.parentFrame() !== null;
  return violations
    .filter(({ id }) => !isFrame || id !== 'page-has-heading-one')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    .filter((found) => !found.startsWith(besidePopover));
}

const readShifts = `new Promise((resolve) => {
  const partsOf = ({ value, sources }) =>
    [value, sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 100)).join(' | ')];
  new PerformanceObserver((list) => resolve(list.getEntries().filter((own) => !own.hadRecentInput).map(partsOf)))
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve([]), 100); // nothing moved
})`;

/** Returns what moved on a page without an input: the share of the window, and what it was. */
export const shiftsOf = (page: Page) => page.evaluate<[share: number, what: string][]>(readShifts);
