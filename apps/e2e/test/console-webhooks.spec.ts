import { eventually } from '@canvass/testing';
import { barriers } from '../src/browser';
import { enter, heading, loaded, startStage, type Stage } from '../src/console';
import { startReceiver, type Receiver } from '../src/receiver';

let stage: Stage;
let receiver: Receiver;
beforeAll(async () => {
  stage = await startStage();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.sink.close();
  await stage.close();
});

/** A form that notifies the receiver of its submissions, with some of them. */
async function newForm(submissions: number): Promise<{ formId: string; endpointId: string }> {
  const { admin, anonymous } = stage.callers;
  const { id: formId } = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: 'Notified',
    isEnabled: true,
    webHookSettingsJson: receiver.settings(['SubmissionCompleted']),
  });
  const endpointId = await eventually(async () => {
    const path = `/api/webhooks/endpoints?formId=${formId}`;
    const { items } = await admin.expect<{ items: { id: string }[] }>(200, 'GET', path);
    expect(items).toHaveLength(1);
    return items[0]!.id;
  });
  for (let count = 0; count < submissions; count += 1) {
    await anonymous.expect(201, 'POST', `/api/forms/${formId}/submissions`, {
      jsonData: '{"city":"Graz"}',
      isComplete: true,
    });
  }
  return { formId, endpointId };
}

const countOf = async (query: string): Promise<number> => {
  const path = `/api/webhooks/deliveries?${query}&limit=1&total=exact`;
  return (await stage.callers.admin.expect<{ total: number }>(200, 'GET', path)).total;
};

describe('the webhook desk', () => {
  it('shows why a delivery failed, and sends again all that the filter shows', async () => {
    receiver.sink.respond(() => ({ status: 503, body: 'out of order' }));
    const { endpointId } = await newForm(3);
    await eventually(async () => expect(await countOf(`endpointId=${endpointId}&status=failed`)).toBe(3));
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, `/deliveries?endpointId=${endpointId}&statusCode=500-599`);
      const { page } = window;
      const rows = page.getByRole('grid', { name: 'Deliveries' }).getByRole('row');
      await eventually(async () => expect(await rows.count()).toBe(4));
      expect(await barriers(page)).toEqual([]);
      await rows.nth(1).getByRole('link').click();
      await heading(page, 'Delivery').waitFor();
      await page.getByText('out of order').first().waitFor();
      await page
        .getByRole('img', { name: /Until the first byte .* ms/ })
        .first()
        .waitFor();
      await page
        .getByText(/"EventName": "submission_completed"|"EventName"/)
        .first()
        .waitFor();
      expect(await barriers(page)).toEqual([]);

      // Without the status: a retry may deliver them from here on.
      receiver.sink.respond(() => ({ status: 200 }));
      await stage.callers.admin.expect(200, 'POST', `/api/webhooks/endpoints/${endpointId}/disable`);
      await stage.callers.admin.expect(200, 'POST', `/api/webhooks/endpoints/${endpointId}/enable`);
      await window.open(`/deliveries?endpointId=${endpointId}`);
      await page.getByRole('link', { name: 'Send again what the filter shows' }).click();
      await heading(page, 'Send again').waitFor();
      await page.getByLabel('All, also delivered ones').check();
      await page.getByText('Deliveries that are sent again: 3').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel('Reason (optional)').fill('The receiver was down.');
      await page.getByRole('button', { name: 'Send 3 again' }).click();
      await heading(page, 'Recovery').waitFor();
      await page.getByText('100% done').waitFor();
      await page.getByText(/Done$/).first().waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(await countOf(`endpointId=${endpointId}&status=delivered`)).toBe(3);
      await page.getByRole('link', { name: 'Recoveries' }).first().click();
      await page.getByRole('gridcell', { name: 'The receiver was down.' }).first().waitFor();
    });
  });

  it('compares attempts, and the bodies of deliveries', async () => {
    const refused = new Set<unknown>();
    receiver.sink.respond(({ headers }) => {
      const id = headers['webhook-id'];
      if (refused.has(id)) return { status: 200, body: 'works again' };
      refused.add(id);
      return { status: 503, body: `out of order ${refused.size}` };
    });
    const { endpointId } = await newForm(2);
    await eventually(async () => expect(await countOf(`endpointId=${endpointId}&status=delivered`)).toBe(2));
    const path = `/api/webhooks/deliveries?endpointId=${endpointId}`;
    const { items } = await stage.callers.admin.get<{ items: { id: string }[] }>(path);
    const [mine, other] = items.map(({ id }) => id);
    const user = await stage.newUser(['Admin']);
    await stage.journey(
      async (window) => {
        await enter(window, user, `/deliveries/${mine}`);
        const { page } = window;
        await page.getByRole('button', { name: 'Compare attempts' }).focus();
        await page.keyboard.press('Enter');
        const table = page.getByRole('table', { name: 'Differences of the attempts' });
        const row = table.getByRole('row', { name: /HTTP status/ });
        await row.getByRole('cell', { name: '503' }).waitFor();
        await row.getByRole('cell', { name: '200' }).waitFor();
        const responses = page.getByRole('group', { name: 'Difference of the responses' });
        await responses.getByText(/^out of order/).waitFor();
        await responses.getByText('works again').waitFor();
        const last = await page.getByLabel('Another attempt').inputValue();
        await page.getByLabel('One attempt').selectOption(last);
        await page.getByText('Nothing else differs.').waitFor();

        await page.getByRole('button', { name: 'Compare with another delivery' }).click();
        await page.getByLabel('Id of the other delivery').fill(other!);
        await page.getByRole('button', { name: 'Compare', exact: true }).click();
        await page.getByRole('group', { name: 'Difference of the bodies' }).locator('ins').first().waitFor();
        await loaded(page);
        expect(await barriers(page)).toEqual([]);
        await page.getByLabel('Id of the other delivery').fill(mine!);
        await page.getByRole('button', { name: 'Compare', exact: true }).click();
        await page.getByText('Both bodies are the same, byte by byte.').waitFor();
      },
      { colorScheme: 'dark' },
    );
  });

  it('checks a signature in the browser', async () => {
    receiver.sink.respond(() => ({ status: 200 }));
    const { endpointId } = await newForm(1);
    await eventually(async () => expect(await countOf(`endpointId=${endpointId}&status=delivered`)).toBe(1));
    const { secret } = await stage.callers.admin.expect<{ secret: string }>(
      200,
      'GET',
      `/api/webhooks/endpoints/${endpointId}/secret`,
    );
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, `/deliveries?endpointId=${endpointId}`);
      const { page } = window;
      await page.getByRole('grid').getByRole('link').first().click();
      const field = page.getByLabel('Secret of the endpoint');
      await field.fill(secret);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText('The signature fits the message.').waitFor();
      await field.fill('whsec_AAAA');
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText('The signature does not fit').waitFor();
    });
  });

  it('tests, limits, disables and enables an endpoint, and replaces its secret', async () => {
    receiver.sink.respond(() => ({ status: 200 }));
    const { endpointId } = await newForm(1);
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, '/endpoints');
      const { page } = window;
      await page.getByRole('grid', { name: 'Endpoints' }).getByRole('row').nth(1).waitFor();
      expect(await barriers(page)).toEqual([]);
      await window.open(`/endpoints/${endpointId}`);
      await page.getByRole('button', { name: 'Send a test' }).click();
      await heading(page, 'Delivery').waitFor();
      await page
        .getByText(/Delivered$/)
        .first()
        .waitFor();
      await page.goBack();
      const plot = (name: string) => page.getByRole('figure', { name });
      await plot('Outcomes over time')
        .getByText(/^Success \d+\.$/)
        .waitFor();
      await plot('Success over time')
        .getByText(/^\d+ attempts, 100% succeeded\.$/)
        .waitFor();
      await plot('Duration of attempts over time')
        .getByText(/^Half took at most [\d.]+ ms/)
        .waitFor();
      await page.getByRole('button', { name: '7 d' }).click();
      await page.waitForURL(/range=7d/);
      await page.getByRole('link', { name: 'Deliveries of this time' }).waitFor();
      expect(await barriers(page)).toEqual([]);

      const limit = page.getByRole('spinbutton', { name: 'Most deliveries per second' });
      await limit.fill('50');
      await page.getByRole('button', { name: 'Save' }).click();
      const stored = () =>
        stage.callers.admin.expect<{ maxPerSecond: number; state: string }>(
          200,
          'GET',
          `/api/webhooks/endpoints/${endpointId}`,
        );
      await eventually(async () => expect((await stored()).maxPerSecond).toBe(50));

      await page.getByRole('button', { name: 'Disable' }).click();
      await page.getByRole('button', { name: 'Enable' }).waitFor();
      expect((await stored()).state).toBe('disabled');
      await page.getByRole('button', { name: 'Enable' }).click();
      await page.getByRole('button', { name: 'Disable' }).waitFor();

      await page.getByRole('button', { name: 'Show the secret' }).click();
      const secret = await page.getByText(/^whsec_/).textContent();
      await page.getByRole('button', { name: 'Create a new secret' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).click();
      await page.getByText('Older secrets that are still valid').waitFor();
      const [newest, older, ...others] = await page.getByText(/^whsec_/).allTextContents();
      expect([older, others]).toEqual([secret, []]);
      expect(newest).not.toBe(secret);
      expect(await barriers(page)).toEqual([]);
    });
  });

  it('edits the settings of a form without JSON, and no user overwrites another', async () => {
    const { formId } = await newForm(0);
    const user = await stage.newUser(['Admin']);
    await stage.journey(async (window) => {
      await enter(window, user, `/forms/${formId}/settings/webhooks`);
      const { page } = window;
      const url = page.getByLabel('URL', { exact: true });
      const edit = async (end: string) => {
        await page.getByRole('button', { name: /^Edit / }).click();
        await url.fill(`${receiver.sink.url}${end}`);
      };
      await edit('/other');
      expect(await barriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save' }).click();
      const stored = async () =>
        (
          await stage.callers.admin.expect<{ webHookSettingsJson: string | null }>(
            200,
            'GET',
            `/api/forms/${formId}`,
          )
        ).webHookSettingsJson;
      await eventually(async () => expect(await stored()).toContain('/other'));

      // A change of something else is no conflict.
      const change = (body: object) => stage.callers.admin.expect(200, 'PATCH', `/api/forms/${formId}`, body);
      await page.getByRole('button', { name: `Edit ${receiver.sink.url}/other` }).waitFor();
      await change({ description: 'another user' });
      await edit('/mine');
      await page.getByRole('button', { name: 'Save' }).click();
      await eventually(async () => expect(await stored()).toContain('/mine'));

      // Another change of the same event is: one chooses, and sees what both began with.
      await page.reload();
      await edit('/again');
      await change({ webHookSettingsJson: (await stored())!.replace('/mine', '/theirs') });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const conflict = page.getByRole('region', { name: 'It was changed in the meantime' });
      for (const end of ['/mine', '/again', '/theirs']) {
        await conflict.getByRole('cell', { name: `${receiver.sink.url}${end}` }).waitFor();
      }
      expect(await stored()).toContain('/theirs');
      expect(await barriers(page)).toEqual([]);
      await conflict.getByRole('button', { name: 'Take theirs' }).click();
      await conflict.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: `Edit ${receiver.sink.url}/theirs` }).waitFor();

      await page.getByLabel('Settings of the tenant').check();
      await page.getByRole('button', { name: 'Save' }).click();
      await eventually(async () => expect(await stored()).toBeNull());
    });
  });
});
