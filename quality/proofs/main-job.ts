import { clientOf, eventually, login, type Client } from '@canvass/testing';
import { Webhook } from 'standardwebhooks';
import { hooksTo } from './private-stack';

/** Canvass, and a receiver of webhooks. */
export interface Installation {
  gatewayUrl: string;
  administrator: { email: string; password: string };
  /** Where the services reach the receiver. */
  webhookOrigin: string;
  /** What the receiver got. */
  received(): Promise<ReceivedWebhook[]>;
}

export interface ReceivedWebhook {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A form with a webhook, and what was submitted to it. */
export interface DoneJob {
  formId: string;
  webhookPath: string;
  submissionIds: string[];
}

const jsonData = '{"answer":"ü"}';

/** Signs in, makes a form with a webhook, and submits to it. */
async function submit(installation: Installation, submissions: number): Promise<DoneJob> {
  const admin = await signIn(installation);
  const webhookPath = `/${Date.now()}`;
  const { id: formId } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: 'Main job',
    isEnabled: true,
    webHookSettingsJson: hooksTo(installation.webhookOrigin + webhookPath),
  });
  const anonymous = clientOf(installation.gatewayUrl);
  const url = `/api/forms/${formId}/submissions`;
  const body = { isComplete: true, jsonData };
  // At the same time, so that the gateway opens several connections.
  const created = await Promise.all(
    Array.from({ length: submissions }, () => anonymous.expect<{ id: string }>(201, 'POST', url, body)),
  );
  const submissionIds = created.map(({ id }) => id);
  return { formId, webhookPath, submissionIds };
}

/**
 * Does what Canvass is for, over the published ports: a sign-in, a form, submissions, a webhook for each with a
 * valid signature, and the page of the console.
 *
 * @throws {Error} if any of it fails
 */
export async function doMainJob(installation: Installation, submissions: number): Promise<DoneJob> {
  const job = await submit(installation, submissions);
  const webhook = new Webhook(
    await secretOf(await signIn(installation), installation.webhookOrigin + job.webhookPath),
  );
  await eventually(() => expectDeliveries(installation, job, webhook), { timeoutMs: 60_000 });
  const page = await fetch(`${installation.gatewayUrl}/console`, { signal: AbortSignal.timeout(10_000) });
  const html = await page.text();
  if (page.status !== 200 || !html.includes('<script'))
    throw new Error(`/console answered ${page.status}: ${html.slice(0, 200)}`);
  return job;
}

/** @throws {Error} if a form or its submissions are not there any more */
export async function expectKept(
  installation: Installation,
  { formId, submissionIds }: DoneJob,
): Promise<void> {
  const admin = await signIn(installation);
  for (const id of submissionIds) {
    const found = await admin.get<{ jsonData: string }>(`/api/forms/${formId}/submissions/${id}`);
    if (found.jsonData !== jsonData) throw new Error(`Submission ${id} has other answers: ${found.jsonData}`);
  }
}

/** @throws {Error} unless every service gets Healthy */
export async function expectHealthy({ gatewayUrl }: Installation): Promise<void> {
  await eventually(async () => {
    const answer = await fetch(`${gatewayUrl}/health/detail`, { signal: AbortSignal.timeout(10_000) });
    const { status, checks } = (await answer.json()) as { status: string; checks: object[] };
    if (status !== 'Healthy') throw new Error(`the health is ${status}: ${JSON.stringify(checks)}`);
  });
}

async function signIn({ gatewayUrl, administrator }: Installation): Promise<Client> {
  return clientOf(gatewayUrl, await login(gatewayUrl, administrator.email, administrator.password));
}

/** The signing secret of an endpoint, which exists once the relay knows the settings. */
function secretOf(admin: Client, url: string): Promise<string> {
  return eventually(async () => {
    const endpoints = '/api/webhooks/endpoints';
    const { items } = await admin.get<{ items: { id: string; url: string }[] }>(`${endpoints}?limit=200`);
    const found = items.find((each) => each.url === url);
    if (found === undefined) throw new Error('the relay does not know the endpoint yet');
    return (await admin.get<{ secret: string }>(`${endpoints}/${found.id}/secret`)).secret;
  });
}

async function expectDeliveries(
  installation: Installation,
  { webhookPath, submissionIds }: DoneJob,
  webhook: Webhook,
): Promise<void> {
  const delivered = (await installation.received())
    .filter(({ path }) => path === webhookPath)
    .map(({ body, headers }) => webhook.verify(body, headers) as { Payload: { submissionId: string } })
    .map(({ Payload }) => Payload.submissionId);
  const missing = submissionIds.filter((id) => !delivered.includes(id));
  if (missing.length > 0) throw new Error(`${missing.length} of ${submissionIds.length} were not delivered`);
}
