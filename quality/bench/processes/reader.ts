/** A person who scrolls through a form, tries filters, and exports it meanwhile. */
import { clientOf } from '@canvass/testing';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveApi } from '../child';
import { StreamClient } from '../stream-client';

/** Between two requests of pages, in milliseconds. */
const pauseMs = 100;
/** Every so many pages one with a filter. */
const pagesOfFilter = 5;

interface Reading {
  gatewayUrl: string;
  token: string;
  /** Path of the list. */
  list: string;
  /** Parameters that are tried in turn. */
  filters: string[];
}

// The browser of a person has a processor of its own; here it takes what the others leave.
setPriority(19);

const ending = { controller: new AbortController(), done: Promise.resolve() };
const read = { pages: 0, refusals: 0, bytes: 0 };

async function scroll({ gatewayUrl, token, list, filters }: Reading, signal: AbortSignal): Promise<void> {
  const client = clientOf(gatewayUrl, token);
  let after = '';
  for (let n = 1; !signal.aborted; n += 1) {
    const isFilter = n % pagesOfFilter === 0;
    const query = isFilter ? `&${filters[(n / pagesOfFilter) % filters.length]}` : after;
    const { status, body } = await client.call<{ next: string | null }>('GET', `${list}?limit=50${query}`);
    if (status === 200) read.pages += 1;
    else read.refusals += 1;
    if (!isFilter && status === 200) after = body.next === null ? '' : `&after=${body.next}`;
    await sleep(pauseMs);
  }
}

async function exportForm({ gatewayUrl, token, list }: Reading, signal: AbortSignal): Promise<void> {
  const client = new StreamClient(gatewayUrl, token);
  while (!signal.aborted) {
    const chunks = await client.export(list, { format: 'csv' });
    const stop = () => chunks.destroy();
    signal.addEventListener('abort', stop);
    try {
      for await (const chunk of chunks) read.bytes += (chunk as Buffer).length;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

const api = {
  /** Reads until `end` is called. */
  begin(reading: Reading): void {
    Object.assign(read, { pages: 0, refusals: 0, bytes: 0 });
    ending.controller = new AbortController();
    const { signal } = ending.controller;
    ending.done = Promise.all([scroll(reading, signal), exportForm(reading, signal)]).then(() => undefined);
    ending.done.catch(() => ending.controller.abort()); // thrown by `end`
  },
  /** @returns what was read */
  async end(): Promise<typeof read> {
    ending.controller.abort();
    await ending.done;
    return { ...read };
  },
};

export type ReaderApi = typeof api;
serveApi(api);
