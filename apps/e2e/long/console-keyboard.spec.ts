import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { heading, startStage, type Stage } from '../src/console';
import { chooseItem, enterByKeys, openRow, press, tabTo, type } from '../src/keyboard';
import { startReceiver, type Receiver } from '../src/receiver';

/** Further journeys by keys alone. */

let stage: Stage;
let receiver: Receiver;
beforeAll(async () => {
  stage = await startStage();
  receiver = await startReceiver();
});
afterAll(() => Promise.all([stage.close(), receiver.sink.close()]));

const make = (path: string, body: object) =>
  stage.callers.admin.expect<{ id: string }>(201, 'POST', path, body);

const newNotifier = () =>
  make('/api/forms', {
    name: `Keys ${randomUUID()}`,
    isEnabled: true,
    webHookSettingsJson: receiver.settings(['SubmissionCompleted']),
  });

it('finds out why a delivery failed, and sends it again', async () => {
  const { admin, anonymous } = stage.callers;
  receiver.sink.respond(() => ({ status: 503, body: 'out of order' }));
  const { id: formId } = await newNotifier();
  await anonymous.expect(201, 'POST', `/api/forms/${formId}/submissions`, { isComplete: true });
  const deliveries = async (status: string) =>
    (await admin.get<{ items: object[] }>(`/api/webhooks/deliveries?formId=${formId}&status=${status}`))
      .items;
  await eventually(async () => expect(await deliveries('failed')).toHaveLength(1));
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    const { page } = window;
    await enterByKeys(window, user, `/deliveries?formId=${formId}`);
    await openRow(page, 'Deliveries', 2);
    await heading(page, 'Delivery').waitFor();
    await page.getByText('out of order').first().waitFor();
    receiver.sink.respond(() => ({ status: 200 }));
    await press(page, page.getByRole('button', { name: 'Send again' }));
    await page.getByText('It is sent again.').waitFor();
    await eventually(async () => expect(await deliveries('delivered')).toHaveLength(1));
  });
});

it('limits, disables and enables an endpoint, and changes its address', async () => {
  const { admin } = stage.callers;
  const { id: formId } = await newNotifier();
  const { id } = await eventually(async () => {
    const path = `/api/webhooks/endpoints?formId=${formId}`;
    const { items } = await admin.get<{ items: { id: string }[] }>(path);
    expect(items).toHaveLength(1);
    return items[0]!;
  });
  const stored = () =>
    admin.get<{ maxPerSecond: number | null; state: string }>(`/api/webhooks/endpoints/${id}`);
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    const { page } = window;
    await enterByKeys(window, user, `/endpoints/${id}`);
    await type(page, page.getByRole('spinbutton', { name: 'Most deliveries per second' }), '50');
    await page.keyboard.press('Enter');
    await eventually(async () => expect((await stored()).maxPerSecond).toBe(50));
    await press(page, page.getByRole('button', { name: 'Disable' }));
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    expect((await stored()).state).toBe('disabled');
    await press(page, page.getByRole('button', { name: 'Enable' }));
    await page.getByRole('button', { name: 'Disable' }).waitFor();

    await window.open(`/forms/${formId}/webhook-settings`);
    await type(page, page.getByLabel('URL').first(), `${receiver.sink.url}/keys`);
    await press(page, page.getByRole('button', { name: 'Save' }));
    await eventually(async () => {
      const form = await admin.get<{ webHookSettingsJson: string }>(`/api/forms/${formId}`);
      expect(form.webHookSettingsJson).toContain('/keys');
    });
  });
});

it('creates a form, writes its definition, leaves the editor, and changes the settings', async () => {
  const name = `Keys ${randomUUID()}`;
  const { id: listId } = await make('/api/data-lists', { name: `List of ${name}` });
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    const { page } = window;
    await enterByKeys(window, user, '/forms');
    await press(page, page.getByRole('button', { name: 'New form' }));
    await type(page, page.getByLabel('Name', { exact: true }), name);
    await press(page, page.getByRole('button', { name: 'Create' }));
    await heading(page, name).waitFor();
    await type(page, page.getByRole('textbox', { name: 'Definition' }), '{ "title": "Keys" }');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved as revision 2.').waitFor();
    await press(page, page.getByRole('button', { name: 'Preview' }));
    await page.locator('iframe').waitFor();

    await press(page, page.getByRole('link', { name: 'Settings', exact: true }));
    await type(page, page.getByLabel('Days until submissions are erased'), '30');
    await press(page, page.getByRole('checkbox', { name: 'Respondents need no token' }), 'Space');
    await type(page, page.getByLabel('Add a data list'), `List of ${name}`);
    await press(page, page.getByRole('button', { name: `List of ${name}` }));
    await page.getByRole('checkbox', { name: `List of ${name}` }).waitFor();
    await press(page, page.getByRole('button', { name: 'Save' }));
    await page.getByText(/^Saved at/).waitFor();
    const path = `/api/forms/${page.url().split('/').at(-2)}`;
    expect(await stage.callers.admin.get(path)).toMatchObject({
      definition: { title: 'Keys' },
      retentionDays: 30,
      isPublic: true,
      dataListIds: [listId],
    });
  });
});

it('creates a data list, renames it and deletes it', async () => {
  const name = `Keys ${randomUUID()}`;
  const user = await stage.newUser(['Editor']);
  await stage.journey(async (window) => {
    const { page } = window;
    await enterByKeys(window, user, '/data-lists');
    await press(page, page.getByRole('button', { name: 'New list' }));
    await type(page, page.getByLabel('Name', { exact: true }), name);
    await press(page, page.getByRole('button', { name: 'Create' }));
    await heading(page, name).waitFor();
    await press(page, page.getByRole('main').getByRole('link', { name: 'Settings' }));
    await type(page, page.getByLabel('Name', { exact: true }), `${name} 2`);
    await press(page, page.getByRole('button', { name: 'Save' }));
    await heading(page, `${name} 2`).waitFor();
    await type(page, page.getByLabel(`Type ${name} 2 to confirm`), `${name} 2`);
    await press(page, page.getByRole('button', { name: 'Delete the list' }));
    await heading(page, 'Data lists').waitFor();
    const path = `/api/data-lists?search=${encodeURIComponent(name)}`;
    expect((await stage.callers.admin.get<{ items: object[] }>(path)).items).toEqual([]);
  });
});

it('finds a person and erases the person', async () => {
  const { formId, submissionId } = await stage.newForm(0);
  const path = `/api/forms/${formId}/submissions/${submissionId}`;
  const { submitterId } = await stage.callers.admin.get<{ submitterId: string }>(path);
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    const { page } = window;
    await enterByKeys(window, user, '/submitters');
    const table = page.getByRole('table', { name: 'All submitters' });
    await table.waitFor();
    await press(page, table.locator(`a[href$="/submitters/${submitterId}"]`));
    await page.getByRole('table', { name: 'Submissions in all forms' }).waitFor();
    await press(page, page.getByRole('button', { name: 'Erase …' }));
    const dialog = page.getByRole('dialog', { name: 'Erase this person' });
    const confirmation = dialog.getByLabel(/^Type .* to confirm$/);
    await tabTo(page, confirmation);
    const label = await dialog.getByText(/^Type .* to confirm$/).textContent();
    await page.keyboard.insertText(/^Type (.*) to confirm$/.exec(label!)![1]!);
    await press(page, dialog.getByRole('button', { name: 'Erase' }));
    await page.getByRole('heading', { name: 'The person was erased' }).waitFor();
    await stage.callers.admin.expect(404, 'GET', `/api/submitters/${submitterId}`);
  });
});

it('invites a user, and changes the roles', async () => {
  const admin = await stage.newUser(['Admin']);
  const email = `${randomUUID()}@demo.example`;
  await stage.journey(async (window) => {
    const { page } = window;
    await enterByKeys(window, admin, '/users');
    await press(page, page.getByRole('button', { name: 'New user' }));
    const dialog = page.getByRole('dialog', { name: 'New user' });
    await type(page, dialog.getByLabel('E-mail address'), email);
    await press(page, dialog.getByRole('checkbox', { name: 'Viewer' }), 'Space');
    await press(page, dialog.getByRole('button', { name: 'Create' }));
    await heading(page, email).waitFor();
    await press(page, page.getByRole('button', { name: 'Make a link' }));
    const question = page.getByRole('dialog', { name: 'Is it you?' });
    await type(page, question.getByLabel('Current password'), admin.password);
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Link to set a password' }).locator('code').waitFor();
    await press(page, page.getByRole('checkbox', { name: 'Editor' }), 'Space');
    await press(page, page.getByRole('button', { name: 'Save' }));
    await page.getByText(/^Saved at/).waitFor();
    const { roles } = await stage.callers.admin.get<{ roles: string[] }>(
      `/api/users/${page.url().split('/').at(-1)}`,
    );
    expect(roles.sort()).toEqual(['Editor', 'Viewer']);
  });
});

it('hides a column, saves the view, and chooses it again', async () => {
  const { formId } = await stage.newForm(1);
  const user = await stage.newUser(['Viewer']);
  await stage.journey(async (window) => {
    const { page } = window;
    const column = page
      .getByRole('grid', { name: 'Submissions' })
      .getByRole('columnheader', { name: 'department' });
    const choose = (menu: string, item: string) =>
      chooseItem(page, page.getByRole('button', { name: menu }), item);
    await enterByKeys(window, user, `/forms/${formId}/submissions`);
    await column.waitFor();
    await press(page, page.getByRole('button', { name: 'Columns', exact: true }));
    const columns = page.getByRole('dialog', { name: 'Columns' });
    await press(page, columns.getByRole('checkbox', { name: /^department/ }), 'Space');
    await column.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');

    await choose('View: Standard', 'Save as …');
    const dialog = page.getByRole('dialog', { name: 'Save the view' });
    await type(page, dialog.getByLabel('Name'), 'By keys');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await choose('View: By keys', 'Standard');
    await column.waitFor();
    await choose('View: Standard', 'By keys');
    await eventually(async () => expect(await column.count()).toBe(0));
  });
});

it('restores a version of a form, and finds that in the audit trail', async () => {
  const { id } = await make('/api/forms', {
    name: `Keys ${randomUUID()}`,
    isEnabled: true,
    definition: { title: 'First' },
  });
  const path = `/api/forms/${id}`;
  await stage.callers.admin.expect(200, 'PATCH', path, { definition: { title: 'Second' } });
  const user = await stage.newUser(['Admin']);
  await stage.journey(async (window) => {
    const { page } = window;
    await enterByKeys(window, user, `/forms/${id}/versions`);
    await press(page, page.getByRole('button', { name: 'Show version 1' }));
    await press(page, page.getByRole('button', { name: 'Restore version 1' }));
    await page.getByText('Version 1 is restored.').waitFor();
    expect(await stage.callers.admin.get(path)).toMatchObject({ definition: { title: 'First' } });

    await window.open('/audit');
    await type(page, page.getByLabel('Action', { exact: true }), 'form.restored');
    await type(page, page.getByLabel('Id of the object'), id);
    await page.keyboard.press('Enter');
    const rows = page.getByRole('table', { name: 'Actions' }).getByRole('row');
    await eventually(async () => expect(await rows.count()).toBe(2));
    await press(page, rows.getByRole('button', { name: 'Show' }));
    await rows.getByText('Second → First').waitFor();
  });
});
