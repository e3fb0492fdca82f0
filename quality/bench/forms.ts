import { clientOf, login, type Client } from '@canvass/testing';
import type { StackFile } from '@canvass/stack';

/** A client of the demo tenant's administrator. */
export async function gatewayClient({ gatewayUrl, demo }: StackFile): Promise<Client> {
  return clientOf(gatewayUrl, await login(gatewayUrl, demo.adminEmail, demo.adminPassword));
}

/**
 * Creates public forms; a completed submission of the n-th is told to the n-th list of URLs, and to the first one's where
 * there are fewer lists than forms. Gives their ids.
 */
export async function makeForms(client: Client, count: number, urls: string[][]): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const endpoints = (urls[n] ?? urls[0] ?? []).map((Url) => ({ Url, Authentication: { Type: 'None' } }));
    const settings = { Events: { SubmissionCompleted: { IsEnabled: true, WebHookEndpoints: endpoints } } };
    const form = await client.post<{ id: string }>('/api/forms', {
      name: `Bench ${n}`,
      isEnabled: true,
      ...(endpoints.length === 0 ? {} : { webHookSettingsJson: JSON.stringify(settings) }),
    });
    ids.push(form.id);
  }
  return ids;
}
