import { clientOf, eventually, type Client } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { accountsDay, type Did, type Staff } from './audit-day-accounts';
import type { Callers } from './client';

/** An operation that succeeded and changed something, or showed what is recorded. */
export interface RecordedStep {
  operation: string;
  /** Id of the object in the audit trail. */
  object: string | null;
  /** The action unless it is that of the operation. */
  action?: string;
}

type Body = Record<string, string>;

/**
 * A day of an administrator: every operation that the audit trail keeps, once or more, between requests that
 * it does not keep: failed ones, those that change nothing, and those of respondents.
 */
export async function auditDay(
  callers: Callers,
  { client: staff, password }: Staff,
): Promise<RecordedStep[]> {
  const steps: RecordedStep[] = [];
  const did: Did = (operation, object, action) =>
    void steps.push({ operation, object, ...(action === undefined ? {} : { action }) });
  await forms(callers, staff, did);
  await dataLists(staff, did);
  await webhooks(callers, staff, did);
  await accountsDay(callers, { client: staff, password }, did);
  const headers = { authorization: `Bearer ${staff.token}`, accept: 'application/x-ndjson' };
  await (await fetch(`${callers.gatewayUrl}/api/audit?area=identity`, { headers })).text();
  did('listAudit', null);
  return steps;
}

async function forms({ integration, anonymous, stranger }: Callers, staff: Client, did: Did): Promise<void> {
  const { id } = await staff.expect<Body>(201, 'POST', '/api/forms', { name: 'A', isEnabled: true });
  did('createForm', id!);
  const path = `/api/forms/${id}`;
  await staff.expect(200, 'PATCH', path, { description: 'changed' });
  did('changeForm', id!);
  await staff.expect(200, 'PUT', path, { name: 'B', isEnabled: true });
  did('replaceForm', id!);
  await staff.expect(200, 'POST', `${path}/versions/1/restore`);
  did('restoreFormVersion', id!);
  await staff.expect(200, 'PUT', `${path}/webhook-settings`, { settings: {} });
  did('saveFormWebhookSettings', id!);
  await staff.expect(200, 'PUT', `${path}/webhook-settings`, { settings: {} });
  await staff.expect(204, 'DELETE', `${path}/webhook-settings`);
  did('removeFormWebhookSettings', id!);
  await staff.expect(404, 'PATCH', '/api/forms/1', { name: 'C' });
  await staff.expect(400, 'PATCH', path, { name: '' });
  await stranger.expect(404, 'DELETE', path);

  const submissions = `${path}/submissions`;
  const begun = await anonymous.expect<Body>(201, 'POST', submissions, { jsonData: '{"a":1}' });
  await anonymous.expect(200, 'PATCH', `${submissions}/by-token/${begun['token']}`, { currentPage: 1 });
  const submitter = { externalSubjectId: randomUUID(), displayId: 'Ada' };
  const made = await integration.expect<Body>(201, 'POST', `${submissions}/onbehalf`, { submitter });
  const one = `${submissions}/${begun['id']}`;
  await staff.expect(200, 'PATCH', one, { jsonData: '{"a":2}' });
  did('changeSubmission', begun['id']!);
  await staff.expect(200, 'PUT', one, { jsonData: '{"a":3}' });
  did('replaceSubmission', begun['id']!);
  await staff.expect(200, 'PUT', one, { jsonData: '{"a":3}' });
  await staff.expect(200, 'POST', `${one}/status`, { status: 'read' });
  did('reviewSubmission', begun['id']!);
  const { id: linkId } = await staff.expect<Body>(201, 'POST', `${one}/links`, { right: 'view' });
  did('createSubmissionLink', begun['id']!);
  await staff.expect(204, 'DELETE', `${one}/links/${linkId}`);
  did('revokeSubmissionLink', begun['id']!);
  const { id: commentId } = await staff.expect<Body>(201, 'POST', `${one}/comments`, { text: 'a' });
  did('createSubmissionComment', begun['id']!);
  await staff.expect(204, 'DELETE', `${one}/comments/${commentId}`);
  did('deleteSubmissionComment', begun['id']!);
  await invitation(staff, id!, did);
  await staff.expect(200, 'POST', `${submissions}/export`, { format: 'csv' });
  did('exportSubmissions', id!);
  await storedExport(staff, id!, did);
  await cancelExport(staff, submissions, did);
  await staff.expect(204, 'DELETE', one);
  did('deleteSubmission', begun['id']!);
  await staff.expect(404, 'DELETE', one);
  await staff.expect(200, 'POST', `${one}/restore`);
  did('restoreSubmission', begun['id']!);
  await staff.expect(200, 'POST', `${one}/restore`);
  const approval = { action: 'status', status: 'approved', submissionIds: [begun['id']!] };
  await staff.expect(200, 'POST', `${submissions}/bulk?dryRun=true`, approval);
  const change = await staff.expect<Body>(202, 'POST', `${submissions}/bulk`, approval);
  did('changeSubmissions', change['id']!);
  did('changeSubmissions', begun['id']!, 'submission.reviewed');
  const person = `/api/submitters/${made['submitterId']}`;
  await staff.expect(200, 'GET', `${person}/export`);
  did('exportSubmitter', made['submitterId']!);
  await staff.expect(204, 'DELETE', person);
  did('eraseSubmitter', made['submitterId']!);
  await staff.expect(204, 'DELETE', path);
  did('deleteForm', id!);
}

/** An invitation of one person, whose link is downloaded. */
async function invitation(staff: Client, formId: string, did: Did): Promise<void> {
  const person = { submitter: { externalSubjectId: randomUUID(), displayId: 'Eve' } };
  const headers = { 'content-type': 'application/x-ndjson' };
  const { body } = await staff.call<Body>('POST', `/api/forms/${formId}/invitations`, person, headers);
  did('inviteRespondents', body['id']!);
  await eventually(() => staff.expect(200, 'GET', `/api/invitations/${body['id']}/file`));
  did('downloadInvitations', formId);
}

/** An export as a job, downloaded once. */
async function storedExport(staff: Client, formId: string, did: Did): Promise<void> {
  const path = `/api/forms/${formId}/submissions/exports`;
  const { id } = await staff.expect<Body>(202, 'POST', path, { format: 'json' });
  did('startSubmissionExport', id!);
  await eventually(async () => {
    const { state } = await staff.expect<Body>(200, 'GET', `/api/exports/${id}`);
    if (state !== 'done') throw new Error(`The export is ${state}.`);
  });
  await staff.expect(200, 'GET', `/api/exports/${id}/file`);
  did('downloadSubmissionExport', formId);
}

/** An export may end before it is cancelled, and is not changed then. So several are started. */
async function cancelExport(staff: Client, submissions: string, did: Did): Promise<void> {
  for (let cancelled = 0; cancelled === 0;) {
    const started = await Promise.all(
      [1, 2, 3, 4].map(() => staff.expect<Body>(202, 'POST', `${submissions}/exports`, { format: 'csv' })),
    );
    for (const { id } of started) did('startSubmissionExport', id!);
    for (const { id } of started.reverse()) {
      const { state } = await staff.expect<Body>(200, 'POST', `/api/submissions/jobs/${id}/cancel`);
      if (state !== 'cancelled') continue;
      did('cancelSubmissionJob', id!);
      cancelled += 1;
    }
  }
}

async function dataLists(staff: Client, did: Did): Promise<void> {
  const { id } = await staff.expect<Body>(201, 'POST', '/api/data-lists', { name: 'A' });
  did('createDataList', id!);
  const path = `/api/data-lists/${id}`;
  await staff.expect(200, 'PATCH', path, { name: 'B' });
  did('updateDataList', id!);
  await staff.expect(200, 'PATCH', path, { name: 'B' });
  await staff.expect(200, 'POST', `${path}/locales`, { locales: ['de', 'fr'] });
  did('addDataListLocales', id!);
  const items = [{ value: 'a', labels: { default: 'A', de: 'Ä' } }];
  await staff.expect(200, 'PUT', `${path}/import`, { items });
  did('importDataList', id!);
  await staff.expect(400, 'PUT', `${path}/import`, { items: [...items, ...items] });
  await staff.expect(200, 'PUT', `${path}/import?dryRun=true`, { items: [] });
  await staff.expect(200, 'PUT', `${path}/import`, { items: [] });
  did('importDataList', id!);
  const { id: staged } = await staff.expect<Body>(201, 'POST', `${path}/imports`, { items });
  await staff.expect(200, 'POST', `${path}/imports/${staged!}/apply`);
  did('applyDataListImport', id!);
  await staff.expect(200, 'POST', `${path}/versions/1/restore`);
  did('restoreDataListVersion', id!);
  await staff.expect(204, 'DELETE', `${path}/locales/fr`);
  did('removeDataListLocale', id!);
  await staff.expect(200, 'PUT', `${path}/default-locale`, { defaultLocale: 'de' });
  did('setDataListDefaultLocale', id!);
  await staff.expect(200, 'POST', `${path}/export`, { format: 'json' });
  did('exportDataList', id!);
  await staff.expect(204, 'DELETE', path);
  did('deleteDataList', id!);
}

async function webhooks({ gatewayUrl }: Callers, staff: Client, did: Did): Promise<void> {
  // Port 9 has no listener: deliveries fail and can be sent again.
  const endpoint = { Url: `http://127.0.0.1:9/${randomUUID()}`, Authentication: { Type: 'None' } };
  const settings = (WebHookEndpoints: object[]) =>
    JSON.stringify({ Events: { FormUpdated: { IsEnabled: true, WebHookEndpoints } } });
  const { id } = await staff.expect<Body>(201, 'POST', '/api/forms', {
    name: 'C',
    isEnabled: true,
    webHookSettingsJson: settings([endpoint]),
  });
  did('createForm', id!);
  await staff.expect(200, 'PATCH', `/api/forms/${id}`, { description: 'changed' });
  did('changeForm', id!);
  const delivery = await eventually(async () => {
    const { items } = await staff.get<{ items: Body[] }>(`/api/webhooks/deliveries?formId=${id}`);
    if (!items[0]?.['lastOutcome']) throw new Error('No attempt has failed yet.');
    return items[0];
  });
  const endpointId = delivery['endpointId']!;
  const path = `/api/webhooks/endpoints/${endpointId}`;
  await staff.expect(200, 'PATCH', path, { maxPerSecond: 5 });
  did('limitWebhookEndpoint', endpointId);
  await staff.expect(200, 'GET', `${path}/secret`);
  did('getWebhookEndpointSecret', endpointId);
  await staff.expect(200, 'POST', `${path}/rotate-secret`, {});
  did('rotateWebhookEndpointSecret', endpointId);
  await staff.expect(202, 'POST', `/api/webhooks/deliveries/${delivery['id']}/resend`);
  did('resendWebhookDelivery', delivery['id']!);
  await staff.expect(202, 'POST', `${path}/test`, {});
  did('testWebhookEndpoint', endpointId);
  const trial = { event: 'FormUpdated', endpoint };
  await staff.expect(200, 'POST', '/api/webhooks/endpoints/try', trial);
  did('tryWebhookEndpoint', null);
  const since = '2026-01-01T00:00:00Z';
  const recovery = await staff.expect<Body>(202, 'POST', `${path}/recover`, { since });
  did('recoverWebhookEndpoint', recovery['id']!);
  await cancelOne(staff, path, did);
  await cancelJob(staff, endpointId, did);
  await staff.expect(200, 'POST', `${path}/disable`);
  did('disableWebhookEndpoint', endpointId);
  await staff.expect(409, 'POST', `${path}/test`, {});
  await staff.expect(200, 'POST', `${path}/enable`);
  did('enableWebhookEndpoint', endpointId);
  await clientOf(gatewayUrl).expect(401, 'GET', `${path}/secret`);

  const tenant = '/api/tenant/webhook-settings';
  const former = await staff.get<Body>(tenant);
  await staff.expect(200, 'PUT', tenant, { webHookSettingsJson: settings([]) });
  did('saveTenantWebhookSettings', recovery['tenantId'] ?? (await tenantOf(staff)));
  await staff.expect(200, 'PUT', tenant, { webHookSettingsJson: former['webHookSettingsJson'] });
  did('saveTenantWebhookSettings', await tenantOf(staff));
  await alerts(staff, did);
  await staff.expect(204, 'DELETE', `/api/forms/${id}`);
  did('deleteForm', id!);
}

async function alerts(staff: Client, did: Did): Promise<void> {
  const path = '/api/webhooks/alerts';
  const none = { addresses: [], language: 'en', url: null };
  await staff.expect(409, 'POST', `${path}/test`);
  await staff.expect(200, 'PUT', path, { ...none, addresses: ['ops@example.org'] });
  did('saveWebhookAlertSettings', await tenantOf(staff));
  await staff.expect(200, 'PUT', path, { ...none, addresses: ['ops@example.org'] });
  await staff.expect(200, 'POST', `${path}/test`);
  did('testWebhookAlerts', await tenantOf(staff));
  await staff.expect(200, 'PUT', path, none);
  did('saveWebhookAlertSettings', await tenantOf(staff));
}

const tenantOf = async (staff: Client) => (await staff.get<Body>('/api/auth/me'))['tenantId']!;

/** A recovery may end before it is cancelled, and is not changed then. */
async function cancelOne(staff: Client, endpoint: string, did: Did): Promise<void> {
  for (;;) {
    const since = '2026-01-01T00:00:00Z';
    const { id } = await staff.expect<Body>(202, 'POST', `${endpoint}/recover`, { since });
    did('recoverWebhookEndpoint', id!);
    const { status } = await staff.expect<Body>(200, 'POST', `/api/webhooks/recoveries/${id}/cancel`);
    if (status === 'cancelled') return did('cancelWebhookRecovery', id!);
  }
}

/** The same through the list of jobs. */
async function cancelJob(staff: Client, endpointId: string, did: Did): Promise<void> {
  for (;;) {
    const body = { mode: 'all', filter: { endpointId } };
    const { id } = await staff.expect<Body>(202, 'POST', '/api/webhooks/recoveries', body);
    did('startWebhookRecovery', id!);
    const { state } = await staff.expect<Body>(200, 'POST', `/api/webhooks/jobs/${id}/cancel`);
    if (state === 'cancelled') return did('cancelWebhookJob', id!);
  }
}
