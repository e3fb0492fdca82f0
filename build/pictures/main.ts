// cspell:ignore networkidle
/**
 * `npm run pictures`: writes pictures of every page of the web console to docs/console, light and dark, wide and
 * narrow, and the page that lists them. Starts a stack of its own with the data of `npm start -- --demo`. With
 * names of pictures it makes only those.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fillTenant, startEndpoints } from '@canvass/demo';
import { checkoutDir, chromiumBinary, runCommand, SetupError } from '@canvass/infra';
import { buildApps, startStack, withRunDir, type StackFile } from '@canvass/stack';
import { eventually } from '@canvass/testing';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { format, resolveConfig } from 'prettier';
import { listOfPictures, replaceList } from './list';
import { fileOf, modes, pictures, type Mode, type Picture } from './pictures';
import { findSubjects, type Subjects } from './subjects';

const folder = path.join(checkoutDir, 'docs/console');
/** The settings of what the gateway shows of submitters. */
const gateway = { NEXT_PUBLIC_SUBMITTER_GRID_PROFILE_FIELDS: 'department' };
const say = (line: string) => console.log(line);

async function main(): Promise<number> {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !pictures.some((picture) => picture.name === name));
  if (unknown !== undefined) throw new SetupError(`There is no picture "${unknown}".`);
  const chosen = pictures.filter(({ name }) => names.length === 0 || names.includes(name));
  return withRunDir('pictures', false, async (dir) => {
    const stack = await startStack({ dir, ephemeral: true, env: { gateway }, prepare: buildApps, say });
    const endpoints = await startEndpoints(dir);
    try {
      await fillTenant(stack.file, { dir, endpointsUrl: endpoints.url, say });
      const subjects = await findSubjects(stack.file); // waits for webhooks that were tried
      mkdirSync(folder, { recursive: true });
      await takeAll(chosen, stack.file, subjects);
      if (names.length === 0) await writeList();
      return 0;
    } finally {
      await stack.stop();
      await endpoints.close();
    }
  });
}

async function startBrowser(): Promise<Browser> {
  const { program, env, args } = await chromiumBinary(say);
  return chromium.launch({
    executablePath: program,
    env: { ...(process.env as Record<string, string>), ...env },
    args,
  });
}

async function takeAll(
  chosen: readonly Picture[],
  { gatewayUrl, demo }: StackFile,
  subjects: Subjects,
): Promise<void> {
  const browser = await startBrowser();
  try {
    for (const mode of modes) {
      for (const picture of chosen) {
        const context = await contextOf(browser, gatewayUrl, mode, picture.locale ?? 'en-GB');
        try {
          if (!picture.isSignedOut) await signIn(context, gatewayUrl, demo);
          await take(await context.newPage(), picture, mode, subjects);
        } catch (error) {
          throw new Error(`Picture "${fileOf(picture, mode)}": ${(error as Error).message}`, {
            cause: error,
          });
        } finally {
          await context.close();
        }
      }
      say(`  ${chosen.length} pictures, ${mode.colorScheme}, ${mode.width} pixels wide`);
    }
  } finally {
    await browser.close();
  }
}

async function contextOf(
  browser: Browser,
  baseURL: string,
  { colorScheme, width }: Mode,
  locale: string,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL,
    colorScheme,
    locale,
    timezoneId: 'Europe/Vienna',
    reducedMotion: 'reduce',
    viewport: { width, height: width < 600 ? 780 : 900 },
  });
  context.setDefaultTimeout(45_000);
  return context;
}

async function signIn(context: BrowserContext, origin: string, demo: StackFile['demo']): Promise<void> {
  const data = { email: demo.adminEmail, password: demo.adminPassword };
  const answer = await context.request.post('/api/auth/session', { data, headers: { origin } });
  if (!answer.ok()) throw new Error(`The sign-in answered ${answer.status()}.`);
}

async function take(page: Page, picture: Picture, mode: Mode, subjects: Subjects): Promise<void> {
  await page.goto(`/console${picture.path(subjects)}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  await page.waitForLoadState('networkidle');
  await picture.act?.(page, subjects);
  await settled(page);
  await page.waitForLoadState('networkidle'); // the queries that a first answer causes
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  await session.detach();
  writeFileSync(path.join(folder, fileOf(picture, mode)), Buffer.from(data, 'base64'));
}

/** Waits until no part of the page is loading. */
async function settled(page: Page): Promise<void> {
  const loading = page.locator('main [aria-busy="true"], main [aria-label="Loading"]');
  await eventually(async () => {
    if ((await loading.count()) > 0) throw new Error('A part of the page is loading.');
  });
  await page.evaluate('document.fonts.ready');
}

/** Writes the list, and deletes pictures that it does not have. */
async function writeList(): Promise<void> {
  const readme = path.join(folder, 'README.md');
  const kept = new Set(pictures.flatMap((picture) => modes.map((mode) => fileOf(picture, mode))));
  for (const file of readdirSync(folder))
    if (file.endsWith('.webp') && !kept.has(file)) rmSync(path.join(folder, file));
  await writeFormatted(readme, replaceList(readFileSync(readme, 'utf8'), listOfPictures()));
}

async function writeFormatted(filepath: string, page: string): Promise<void> {
  writeFileSync(filepath, await format(page, { ...(await resolveConfig(filepath)), filepath }));
}

runCommand(main);
