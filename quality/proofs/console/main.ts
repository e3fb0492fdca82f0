/**
 * Measures the web console in Chromium on a stack with much data, and writes docs/console/performance.md. Ends
 * with 1 if a target is missed. Arguments: how often each figure is taken (7), and the minutes of the journeys in a
 * circle (30). `--only=NAME` measures one section, and replaces it in the page.
 */
import { fillTenant, startEndpoints } from '@canvass/demo';
import { markdownTable } from '@canvass/testing';
import type { Browser } from 'playwright-core';
import { proveOnStack } from '../private-stack';
import { startChromium } from './chromium';
import { fill, type Sizes } from './data';
import {
  measureImport,
  measureJourneys,
  measureLoading,
  measureMemory,
  measureScrolling,
  measureSubmissions,
  type Setting,
} from './measures';
import { isMet, rowsOf, updateSection, writeReport, type Section } from './report';

const args = process.argv.slice(2);
const [runs = 7, minutes = 30] = args.filter((arg) => !arg.startsWith('--')).map(Number);
const only = args.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);
const scrollSeconds = 20;
const sizes: Sizes = { submissions: 100_000, lists: [138_000, 1_000_000], lines: 1_000_000 };

const measures: Record<string, (setting: Setting) => Promise<Section>> = {
  loading: measureLoading,
  submissions: measureSubmissions,
  scrolling: (setting) => measureScrolling(setting, scrollSeconds),
  import: measureImport,
  journeys: measureJourneys,
  memory: (setting) => measureMemory(setting, minutes),
};

/** What pages show says more about a failure than which element is missing. */
async function shown(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  const texts = pages.map(async (page) => `${page.url()} shows:\n${await page.locator('body').innerText()}`);
  return (await Promise.all(texts)).join('\n').slice(0, 4_000);
}

proveOnStack('console', {}, async ({ file }, dir) => {
  const endpoints = await startEndpoints(dir);
  await fillTenant(file, { dir, endpointsUrl: endpoints.url, say: console.log });
  const data = await fill(file, sizes);
  console.log('  The data are there.');
  const browser = await startChromium();
  const sections: Section[] = [];
  const failed: string[] = [];
  try {
    for (const [name, measure] of Object.entries(measures)) {
      if (only !== undefined && only !== name) continue;
      try {
        const section = await measure({ browser, gatewayUrl: file.gatewayUrl, data, runs });
        sections.push(section);
        const head = ['', 'target', 'median', 'worst', ''];
        console.log(`\n${section.title}\n${markdownTable([head, ...rowsOf(section)])}`);
      } catch (error) {
        failed.push(name);
        console.error(`\n${name} failed: ${(error as Error).message}\n${await shown(browser)}`);
        for (const context of browser.contexts()) await context.close();
      }
    }
  } finally {
    await browser.close();
    await endpoints.close();
    data.close();
  }
  const command = `npm run prove -- ${['console', ...args].join(' ')}`;
  if (only === undefined) await writeReport(sections, failed, command);
  else for (const section of sections) await updateSection(section, command);
  return failed.length === 0 && sections.every(({ figures }) => figures.every(isMet));
});
