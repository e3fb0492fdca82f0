import type { Readable } from 'node:stream';
import type { Client } from '@canvass/testing';
import { request } from 'undici';
import { hooksTo } from '../proofs/private-stack';

/**
 * Creates a public form for each list of URLs, whose endpoints get its completed submissions; returns the
 * ids.
 */
export async function createForms(client: Client, urls: readonly string[][]): Promise<string[]> {
  const ids: string[] = [];
  for (const own of urls) {
    const form = await client.post<{ id: string }>('/api/forms', {
      name: `Bench ${ids.length}`,
      isEnabled: true,
      ...(own.length === 0 ? {} : { webHookSettingsJson: hooksTo(...own) }),
    });
    ids.push(form.id);
  }
  return ids;
}

/** Sends a body as a stream and returns that of the answer, which the caller reads. */
export async function transfer(
  { gatewayUrl, token }: { gatewayUrl: string; token: string },
  [method, path, type]: readonly ['PUT' | 'POST', string, string],
  body: string | Readable,
) {
  const headers = { 'content-type': type, authorization: `Bearer ${token}` };
  const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
  const answer = await request(gatewayUrl + path, { method, headers, body, ...timeouts });
  if (answer.statusCode === 200) return answer.body;
  throw new Error(`${method} ${path} answered ${answer.statusCode}: ${await answer.body.text()}`);
}

/** Imports a CSV file into a data list; returns the seconds until the answer. */
export async function importCsv(
  target: { gatewayUrl: string; token: string },
  list: string,
  csv: Readable,
): Promise<number> {
  const started = performance.now();
  await (await transfer(target, ['PUT', `/api/data-lists/${list}/import`, 'text/csv'], csv)).dump();
  return (performance.now() - started) / 1000;
}
