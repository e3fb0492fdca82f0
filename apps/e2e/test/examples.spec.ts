import { eventually, freePort } from '@canvass/testing';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openWindow, startBrowser } from '../src/browser';
import { signIn, type Callers } from '../src/client';
import { environment } from '../src/config';
import { stackFile } from '../src/stack';

/** Runs the programs of examples/ against the stack. */
const checkout = path.resolve(__dirname, '../../..');
const example = (name: string) => path.join(checkout, 'examples', name);

let callers: Callers;
const children: ChildProcess[] = [];
beforeAll(async () => void (callers = await signIn()));
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

/** Starts a program. Returns what it has printed so far. */
function start(command: string, args: string[], env: Record<string, string>): () => string {
  const child = spawn(command, args, { cwd: checkout, env: { PATH: environment['PATH'], ...env } });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return () => output;
}

const created = (body: object) => callers.admin.expect<{ id: string }>(201, 'POST', '/api/forms', body);

/** A form that sends completed submissions to a port of this machine, and the secret of that endpoint. */
async function formFor(port: number): Promise<{ formId: string; secret: string; url: string }> {
  const url = `http://127.0.0.1:${port}/hook`;
  const event = { IsEnabled: true, WebHookEndpoints: [{ Url: url }] };
  const webHookSettingsJson = JSON.stringify({ Events: { SubmissionCompleted: event } });
  const { id: formId } = await created({ name: 'Example', isEnabled: true, webHookSettingsJson });
  const endpoints = '/api/webhooks/endpoints';
  const endpointId = await eventually(async () => {
    const { items } = await callers.admin.expect<{ items: { id: string; url: string }[] }>(
      200,
      'GET',
      `${endpoints}?limit=200`,
    );
    return items.find((item) => item.url === url)?.id ?? false;
  });
  const { secret } = await callers.admin.expect<{ secret: string }>(
    200,
    'GET',
    `${endpoints}/${endpointId}/secret`,
  );
  return { formId, secret, url };
}

const python = spawnSync('python3', ['--version']).status === 0;
if (!python) console.error('examples/webhook_receiver.py is not run: python3 is not installed.');
const receivers: [name: string, command: string, args: string[]][] = [
  ['webhook-receiver.ts', process.execPath, ['--import', 'tsx', example('webhook-receiver.ts')]],
];
if (python) receivers.push(['webhook_receiver.py', 'python3', [example('webhook_receiver.py')]]);

it.each(receivers)('%s verifies webhooks, and handles each once', async (_name, command, args) => {
  const port = await freePort();
  const { formId, secret, url } = await formFor(port);
  const printed = start(command, args, { PORT: String(port), WEBHOOK_SECRET: secret });
  await eventually(() => expect(printed()).toContain('listening'));
  const { id } = await callers.anonymous.expect<{ id: string }>(
    201,
    'POST',
    `/api/forms/${formId}/submissions`,
    { isComplete: true },
  );
  const line = `submission_completed submission ${id} revision 1\n`;
  await eventually(() => expect(printed()).toContain(line));

  const delivery = await eventually(async () => {
    const log = `/api/webhooks/deliveries?formId=${formId}&status=delivered`;
    const { items } = await callers.admin.expect<{ items: { id: string }[] }>(200, 'GET', log);
    return items[0]?.id ?? false;
  });
  await callers.admin.expect(202, 'POST', `/api/webhooks/deliveries/${delivery}/resend`);
  await eventually(() => expect(printed()).toMatch(/seen before \d+\n/));
  expect(printed().split(line)).toHaveLength(2);

  const now = String(Math.floor(Date.now() / 1000));
  const forged = { 'webhook-id': '1', 'webhook-timestamp': now, 'webhook-signature': 'v1,AAAA' };
  const answer = await fetch(url, { method: 'POST', headers: forged, body: '{"Id":"1"}' });
  expect(answer.status).toBe(401);
});

it('consumer.mjs counts the items of data lists from events', async () => {
  const { amqpUrl } = await stackFile();
  const queue = `example.${randomUUID()}`;
  const printed = start(process.execPath, [example('consumer.mjs')], { AMQP_URL: amqpUrl, QUEUE: queue });
  await eventually(() => expect(printed()).toContain(`listening on ${queue}`));
  const name = `Rivers ${randomUUID()}`;
  const { id } = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', { name });
  const items = ['Odra', 'Rhine'].map((value) => ({ value, labels: { default: value } }));
  await callers.admin.expect(200, 'PUT', `/api/data-lists/${id}/import`, { items });
  await eventually(() => expect(printed()).toMatch(new RegExp(`${id} "${name}" revision \\d+: 2 items`)));
});

it('form.html shows a form with its list, and submits the answers once', async () => {
  const { admin, gatewayUrl } = callers;
  const list = await admin.expect<{ id: string }>(201, 'POST', '/api/data-lists', {
    name: `Countries ${randomUUID()}`,
  });
  const items = [
    { value: 'AT', labels: { default: 'Austria' } },
    { value: 'IS', labels: { default: 'Iceland' } },
  ];
  await admin.expect(200, 'PUT', `/api/data-lists/${list.id}/import`, { items });
  const { id } = await created({
    name: 'Where do you live?',
    isEnabled: true,
    dataListIds: [list.id],
    definition: {
      elements: [
        { type: 'dropdown', name: 'country', title: 'Country', dataList: list.id },
        { type: 'text', name: 'city', title: { default: 'City', de: 'Stadt' }, isRequired: true },
      ],
    },
  });
  const browser = await startBrowser();
  try {
    const window = await openWindow(browser);
    const { page } = window;
    const body = readFileSync(example('form.html'), 'utf8');
    await page.route('**/form.html*', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${gatewayUrl}/form.html?form=${id}`);
    await page.getByRole('heading', { name: 'Where do you live?' }).waitFor();
    await page.getByLabel('Country').selectOption({ label: 'Iceland' });
    await page.getByRole('button', { name: 'Submit' }).click();
    expect(await page.locator('input:invalid').getAttribute('name')).toBe('city');
    await page.getByLabel('City').fill('Reykjavík');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Thank you.').waitFor();
    await window.close();
  } finally {
    await browser.close();
  }
  const submissions = await admin.expect<{ items: { jsonData: string; isComplete: boolean }[] }>(
    200,
    'GET',
    `/api/forms/${id}/submissions`,
  );
  expect(submissions.items).toEqual([
    expect.objectContaining({ isComplete: true, jsonData: '{"country":"IS","city":"Reykjavík"}' }),
  ]);
});
