import { eventually, type Client } from '@canvass/testing';
import type { Bench } from './bench';

/**
 * Creates a public form for each list of URLs, whose endpoints get its completed submissions; returns the
 * ids.
 */
export async function createForms(client: Client, urls: readonly string[][]): Promise<string[]> {
  const ids: string[] = [];
  for (const own of urls) {
    const endpoints = own.map((Url) => ({ Url, Authentication: { Type: 'None' } }));
    const settings = { Events: { SubmissionCompleted: { IsEnabled: true, WebHookEndpoints: endpoints } } };
    const form = await client.post<{ id: string }>('/api/forms', {
      name: `Bench ${ids.length}`,
      isEnabled: true,
      ...(own.length === 0 ? {} : { webHookSettingsJson: JSON.stringify(settings) }),
    });
    ids.push(form.id);
  }
  return ids;
}

/** Waits until the relay has so many endpoints, so that no measured event has to fetch settings. */
export async function endpointsKnown(client: Client, count: number): Promise<void> {
  await eventually(async () => {
    const path = '/api/webhooks/endpoints?limit=200';
    return (await client.get<{ items: object[] }>(path)).items.length >= count;
  });
}

/**
 * Updates the planner's statistics, as autovacuum does within a minute: plans for empty tables are
 * replaced.
 */
export async function analyze(bench: Bench, databaseUrl?: string): Promise<void> {
  await (await bench.database(databaseUrl)).query('analyze');
}
