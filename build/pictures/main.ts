// cspell:ignore networkidle
/**
 * `npm run pictures`: writes pictures of the web console to docs/console. It starts a stack with the data of
 * `npm start -- --demo`. docs/console/README.md lists the pictures.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fillTenant, startEndpoints } from '@canvass/demo';
import { checkoutDir, chromiumBinary, runCommand } from '@canvass/infra';
import { buildApps, startStack, withRunDir, type StackFile } from '@canvass/stack';
import { clientOf, eventually, login } from '@canvass/testing';
import { chromium, type Page } from 'playwright-core';

const folder = path.join(checkoutDir, 'docs/console');
/** The settings of what the gateway shows of submitters. */
const gateway = { NEXT_PUBLIC_SUBMITTER_GRID_PROFILE_FIELDS: 'department' };
const say = (line: string) => console.log(line);

interface Found {
  id: string;
  name?: string;
  url?: string;
  submitterId?: string | null;
  isComplete?: boolean;
}

/** The pages below `/console` by the names of their pictures, once a webhook of the tenant was tried. */
async function pagesOf({ gatewayUrl, demo }: StackFile): Promise<Record<string, string>> {
  const admin = clientOf(gatewayUrl, await login(gatewayUrl, demo.adminEmail, demo.adminPassword));
  const find = async (address: string, isIt: (each: Found) => unknown) => {
    const { items } = await admin.get<{ items: Found[] }>(`/api/${address}`);
    return items.find(isIt)?.id ?? Promise.reject(new Error(`/api/${address} lacks what is shown`));
  };
  const form = await find('forms?limit=100', ({ name }) => name === 'How was your order?');
  const submission = await find(
    `forms/${form}/submissions?limit=200`,
    ({ submitterId, isComplete }) => submitterId && isComplete,
  );
  const endpoint = await find('webhooks/endpoints?limit=100', ({ url }) => url!.endsWith('/newsletter'));
  const failed = `webhooks/deliveries?endpointId=${endpoint}&minAttempts=1&limit=1`;
  const delivery = await eventually(() => find(failed, () => true), { timeoutMs: 120_000 });
  return {
    overview: '/',
    forms: '/forms',
    'form-share': `/forms/${form}/share`,
    submissions: `/forms/${form}/submissions`,
    submission: `/forms/${form}/submissions/${submission}`,
    'form-summary': `/forms/${form}/summary`,
    deliveries: '/deliveries',
    delivery: `/deliveries/${delivery}`,
    endpoint: `/endpoints/${endpoint}`,
    'data-list': `/data-lists/${await find('data-lists?pageSize=100', ({ name }) => name === 'Cities')}`,
    submitters: '/submitters',
    health: '/health',
  };
}

async function takeAll(stack: StackFile): Promise<void> {
  const pages = await pagesOf(stack);
  const { program, env, args } = await chromiumBinary(say);
  const browser = await chromium.launch({
    executablePath: program,
    env: { ...(process.env as Record<string, string>), ...env },
    args,
  });
  try {
    const { gatewayUrl: baseURL, demo } = stack;
    const context = await browser.newContext({
      baseURL,
      locale: 'en-GB',
      timezoneId: 'Europe/Vienna',
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 900 },
    });
    const data = { email: demo.adminEmail, password: demo.adminPassword };
    const answer = await context.request.post('/api/auth/session', { data, headers: { origin: baseURL } });
    if (!answer.ok()) throw new Error(`The sign-in answered ${answer.status()}.`);
    const page = await context.newPage();
    for (const [name, address] of Object.entries(pages)) {
      await page.goto(`/console${address}`);
      await settled(page);
      const session = await context.newCDPSession(page);
      const shot = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
      writeFileSync(path.join(folder, `${name}.webp`), Buffer.from(shot.data, 'base64'));
      say(`  ${name}`);
    }
  } finally {
    await browser.close();
  }
}

/** Waits until no part of the page is loading. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  const loading = page.locator('main [aria-busy="true"], main [aria-label="Loading"]');
  await eventually(async () => {
    if ((await loading.count()) > 0) throw new Error('A part of the page is loading.');
  });
  await page.waitForLoadState('networkidle'); // the queries that a first answer causes
  await page.evaluate('document.fonts.ready');
}

runCommand(() =>
  withRunDir('pictures', false, async (dir) => {
    const stack = await startStack({ dir, ephemeral: true, env: { gateway }, prepare: buildApps, say });
    const endpoints = await startEndpoints(dir);
    try {
      await fillTenant(stack.file, { dir, endpointsUrl: endpoints.url, say });
      mkdirSync(folder, { recursive: true });
      await takeAll(stack.file);
      return 0;
    } finally {
      await stack.stop();
      await endpoints.close();
    }
  }),
);
