import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { enter, fromMenu, heading, startStage, type Stage } from '../src/console';
import { startReceiver, type Receiver } from '../src/receiver';

/** An outage of a receiver as a person meets it: from the overview to the last delivery. */

let stage: Stage;
let receiver: Receiver;
beforeAll(async () => {
  stage = await startStage();
  receiver = await startReceiver();
});
afterAll(() => Promise.all([stage.close(), receiver.sink.close()]));

const lost = 6;

/** The number that the API counts for the filter of an address of the page, where commas separate values. */
const countOf = async (search: URLSearchParams): Promise<number> => {
  const query = new URLSearchParams();
  for (const [name, values] of search) for (const value of values.split(',')) query.append(name, value);
  const path = `/api/webhooks/deliveries?limit=1&total=exact&${query.toString()}`;
  return (await stage.callers.admin.get<{ total: number }>(path)).total;
};

/** Ids of the messages that the receiver accepted. */
function accepted(from: number): string[] {
  const later = receiver.sink.requests.slice(from);
  return [...new Set(later.map(({ headers }) => headers['webhook-id']!))];
}

it('is seen on the overview, counted before the recovery, and over when all is delivered', async () => {
  const { admin, anonymous } = stage.callers;
  receiver.sink.respond(() => ({ status: 503 }));
  const { id: formId } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: `Outage ${randomUUID()}`,
    isEnabled: true,
    webHookSettingsJson: receiver.settings(['SubmissionCompleted']),
  });
  for (let count = 0; count < lost; count += 1) {
    await anonymous.expect(201, 'POST', `/api/forms/${formId}/submissions`, {
      jsonData: '{"city":"Graz"}',
      isComplete: true,
    });
  }
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    const { page } = window;
    await enter(window, user, '/?range=1h');
    // The overview turns: it names the endpoint, and leads to its failed deliveries.
    const troubled = page.getByRole('table', { name: 'Endpoints in most trouble' });
    const row = troubled.getByRole('row').filter({ hasText: receiver.sink.url });
    await row.getByText(/(Failing|Paused)$/).waitFor();
    const link = row.getByRole('link');
    const { searchParams } = new URL((await link.getAttribute('href'))!, page.url());
    await eventually(async () => expect(await countOf(searchParams)).toBe(lost));
    await link.click();
    await heading(page, 'Deliveries').waitFor();
    const grid = page.getByRole('grid', { name: 'Deliveries' });
    await eventually(async () => {
      await fromMenu(page, 'Refresh');
      expect(await grid.locator('[role=row]:has([role=gridcell] a)').count()).toBe(lost);
    });

    // The plan counts what the rows showed, while the receiver still fails.
    await page.getByRole('link', { name: 'Send again what the filter shows' }).click();
    await page.getByText(`Deliveries that are sent again: ${lost}`).waitFor();
    const before = receiver.sink.requests.length;
    receiver.sink.respond(() => ({ status: 200 }));
    await page.getByLabel('Reason (optional)').fill('The receiver works again.');
    await page.getByRole('button', { name: `Send ${lost} again` }).click();
    await heading(page, 'Recovery').waitFor();
    await page.getByText('100% done').waitFor({ timeout: 120_000 });

    // The counts of the receiver, the API and the page are equal, and nothing is left.
    expect(accepted(before)).toHaveLength(lost);
    const { endpointId } = Object.fromEntries(searchParams);
    const delivered = new URLSearchParams({ endpointId: endpointId!, status: 'delivered' });
    expect(await countOf(delivered)).toBe(lost);
    await window.open(`/deliveries?${delivered.toString()}`);
    await eventually(async () =>
      expect(await grid.locator('[role=row]:has([role=gridcell] a)').count()).toBe(lost),
    );
    expect(await countOf(new URLSearchParams({ endpointId: endpointId!, status: 'failed' }))).toBe(0);

    // The light turns back. On the overview, endpoints of other tests may be in more trouble.
    await window.open(`/endpoints/${endpointId}`);
    await heading(page, 'Endpoint').waitFor();
    await page
      .getByRole('main')
      .getByText(/Enabled$/)
      .first()
      .waitFor();
  });
});
