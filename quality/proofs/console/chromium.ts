import { chromiumBinary } from '@canvass/infra';
import type { Login } from './data';
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core';
import { observers } from './in-page';

/** Whether the browser runs as fast as the machine, or as a slow device on a slow line. */
export type Speed = 'fast' | 'slow';

/** A processor of a quarter of this one; 1.6 Mbit/s to the browser, 0.75 from it, and 150 ms. */
const slow = {
  cpu: 4,
  network: { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 },
};

/** Milliseconds that a step may take. */
const longest = 120_000;

export async function startChromium(): Promise<Browser> {
  const { program, env, args } = await chromiumBinary((line) => console.log(line));
  return chromium.launch({
    executablePath: program,
    env: { ...(process.env as Record<string, string>), ...env },
    // Memory in bytes instead of rounded figures.
    args: [...args, '--enable-precise-memory-info'],
  });
}

/** A browser without cookies and cache, with one page. */
export interface Fresh {
  context: BrowserContext;
  page: Page;
  cdp: CDPSession;
  close(): Promise<void>;
}

export interface FreshOptions {
  gatewayUrl: string;
  speed?: Speed;
  /** Signs in before, without loading a page of the console; null: no user is signed in. */
  login: Login | null;
  /** A further script that runs before those of each page. */
  script?: string;
}

/** Opens a window of 1440 × 900 pixels. */
export async function openFresh(
  browser: Browser,
  { gatewayUrl, speed = 'fast', login, script = '' }: FreshOptions,
): Promise<Fresh> {
  const context = await browser.newContext({
    baseURL: gatewayUrl,
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
  });
  context.setDefaultTimeout(longest);
  await context.addInitScript(`{${script}}${observers}`);
  if (login !== null) {
    const answer = await context.request.post('/api/auth/session', {
      data: login,
      headers: { origin: gatewayUrl },
    });
    if (!answer.ok()) throw new Error(`The sign-in answered ${answer.status()}.`);
  }
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  if (speed === 'slow') {
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', slow.network);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slow.cpu });
  }
  return { context, page, cdp, close: () => context.close() };
}

/** Bytes that the scripts of a page hold, after a collection of what they no longer hold. */
export async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.enable');
  for (let round = 0; round < 2; round += 1) await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
}

/** Elements with the role of a grid that are in memory, but in no page. */
export async function detachedGrids(cdp: CDPSession): Promise<number> {
  const objectGroup = 'detached-grids';
  const { result: prototype } = await cdp.send('Runtime.evaluate', {
    expression: 'HTMLDivElement.prototype',
    objectGroup,
  });
  const { objects } = await cdp.send('Runtime.queryObjects', {
    prototypeObjectId: prototype.objectId!,
    objectGroup,
  });
  const { result } = await cdp.send('Runtime.callFunctionOn', {
    objectId: objects.objectId!,
    functionDeclaration: `function () {
      return this.filter((own) => !own.isConnected && own.getAttribute('role') === 'grid').length;
    }`,
    returnByValue: true,
  });
  await cdp.send('Runtime.releaseObjectGroup', { objectGroup });
  return result.value as number;
}
