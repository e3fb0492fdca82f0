import { client, startHarness, tenantOf, type Harness, type Tenant } from './harness';
import { key, settings } from './settings-calls';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => (test = await startHarness()));
afterAll(() => test.close());

const { anonymous, begin } = submissionCalls(() => test);

interface RecordedAction {
  action: string;
  object: { type: string; id: string };
  actor: object;
  before: object | null;
  after: object | null;
}

/** The audit trail of a tenant, oldest first. */
async function trailOf(tenant: Tenant): Promise<RecordedAction[]> {
  const path = `/internal/audit?tenantId=${tenant.id}&limit=100`;
  const service = client(test.service.internalUrl, test.internalToken());
  const { status, body } = await service.get<{ items: RecordedAction[] }>(path);
  expect(status).toBe(200);
  return body.items.reverse();
}
const actionsOf = async (tenant: Tenant) => (await trailOf(tenant)).map(({ action }) => action);

it('records each change of a form once, with the changed members and masked keys', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const path = `/api/forms/${formId}`;
  const webHookSettingsJson = settings({
    Url: 'https://public.example/a',
    Authentication: key('the-key-of-the-receiver'),
  });
  await tenant.admin.patch(path, { isEnabled: false, webHookSettingsJson });
  await tenant.admin.put(path, { name: 'Another', isEnabled: true });
  await tenant.admin.put('/api/tenant/webhook-settings', { webHookSettingsJson });
  await tenant.admin.delete(path);
  const trail = await trailOf(tenant);
  expect(trail.map(({ action }) => action)).toEqual([
    'form.created',
    'form.updated',
    'form.updated',
    'webhook_settings.updated',
    'form.deleted',
  ]);
  expect(trail[1]).toMatchObject({
    object: { type: 'form', id: formId },
    actor: { provider: 'Service', kind: 'user', subject: '11' },
    before: { isEnabled: true, webHookSettings: null },
    after: { isEnabled: false, webHookSettings: expect.objectContaining({ Events: expect.any(Object) }) },
  });
  expect(trail[2]).toMatchObject({ before: { name: 'A form' }, after: { name: 'Another' } });
  expect(JSON.stringify(trail)).not.toContain('the-key-of-the-receiver');
});

it('records what staff do with submissions, without answers, and nothing that respondents do', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const { id, token } = await begin(formId, { jsonData: '{"n":1}' });
  await anonymous().patch(byToken(formId, token), { jsonData: '{"n":2}' });
  const submitter = { externalSubjectId: 'ada', displayId: 'Ada Lovelace' };
  const { body } = await tenant.as('Integration').post<Submission>(`${pathOf(formId)}/onbehalf`, {
    submitter,
  });
  expect(await actionsOf(tenant)).toEqual(['form.created']);

  const one = `${pathOf(formId)}/${id}`;
  await tenant.admin.patch(one, { jsonData: '{"secret":"answer"}' });
  await tenant.admin.patch(one, { metadata: '{"m":1}' }); // merges under a lock
  await tenant.admin.patch(one, { jsonData: '{"secret":"answer"}' }); // changes nothing
  await tenant.admin.post(`${one}/status`, { status: 'approved' });
  await tenant.admin.post(`${one}/status`, { status: 'approved' }); // changes nothing
  await tenant.admin.post(`${pathOf(formId)}/export`, { format: 'json' });
  await tenant.admin.delete(one);
  await tenant.admin.get(`/api/submitters/${body['submitterId']}/export`);
  await tenant.admin.delete(`/api/submitters/${body['submitterId']}`);
  const trail = (await trailOf(tenant)).slice(1);
  expect(trail.map(({ action, object }) => [action, object.id])).toEqual([
    ['submission.updated', id],
    ['submission.updated', id],
    ['submission.reviewed', id],
    ['submission.exported', formId],
    ['submission.deleted', id],
    ['submitter.exported', body['submitterId']],
    ['submitter.erased', body['submitterId']],
  ]);
  expect(trail[2]!.after).toEqual({ status: 'approved' });
  expect(JSON.stringify(trail)).not.toMatch(/secret|answer|Lovelace/);
});

it('records no rejected request and no request that was rolled back', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const one = `${pathOf(formId)}/1`;
  await tenant.as('Viewer').patch(`/api/forms/${formId}`, { name: 'x' });
  await tenant.admin.patch(`/api/forms/${formId}`, { name: 'x' }, { 'if-match': '"9"' });
  await tenant.admin.patch(one, { jsonData: '{}' });
  await tenant.admin.delete(one);
  await tenant.admin.post('/api/forms/1/submissions/export', {});
  await tenantOf(test).admin.delete(`/api/forms/${formId}`);
  expect(await actionsOf(tenant)).toEqual(['form.created']);
});

it('records a create with a repeated Idempotency-Key once', async () => {
  const tenant = tenantOf(test);
  const create = () =>
    tenant.admin.post('/api/forms', { name: 'A', isEnabled: true }, { 'idempotency-key': 'k' });
  expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
  expect(await actionsOf(tenant)).toEqual(['form.created']);
});

it('former answers name the staff or integration that saved them', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const crm = tenant.as('Integration', { sub: '31', kind: 'service' });
  const submitter = { externalSubjectId: 'c', displayId: 'c' };
  const { body } = await crm.post<Submission>(`${pathOf(formId)}/onbehalf`, { submitter });
  const one = `${pathOf(formId)}/${body['id']}`;
  await tenant.admin.patch(one, { jsonData: '1' });
  await anonymous().patch(byToken(formId, body['token']), { jsonData: '2' });
  await tenant.admin.patch(one, { jsonData: '3' });
  const { body: versions } = await tenant.admin.get<{ items: { jsonData: string; savedBy: object }[] }>(
    `${one}/versions`,
  );
  expect(versions.items.map(({ jsonData, savedBy }) => [jsonData, savedBy])).toEqual([
    ['2', null],
    ['1', { provider: 'Service', kind: 'user', subject: '11' }],
    ['{}', expect.objectContaining({ subject: '31' })],
  ]);
});
