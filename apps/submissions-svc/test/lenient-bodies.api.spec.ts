import { startHarness, tenantOf, type Harness } from './harness';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { anonymous, begin } = submissionCalls(() => test);

const nothing = {
  isComplete: null,
  currentPage: null,
  jsonData: null,
  metadata: null,
  collectionOutcome: null,
};

describe('null for an optional member means absent', () => {
  it('on the creation of a submission, on behalf too', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const empty = { isComplete: false, currentPage: 0, jsonData: '{}', metadata: '{}' };
    const own = await anonymous().post<Submission>(pathOf(formId), nothing);
    expect([own.status, own.body]).toEqual([201, expect.objectContaining(empty)]);
    const submitter = {
      externalSubjectId: 's',
      displayId: 'S',
      authProvider: null,
      appUserId: null,
      profile: null,
    };
    for (const body of [nothing, { ...nothing, submitter: null }, { ...nothing, submitter }]) {
      const made = await tenant.as('Integration').post<Submission>(`${pathOf(formId)}/onbehalf`, body);
      expect([made.status, made.body]).toEqual([201, expect.objectContaining(empty)]);
    }
  });

  it('on a save, where absent members stay', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const sent = { currentPage: 2, jsonData: '{"a":1}', metadata: '{"b":2}' };
    const { id, token } = await begin(formId, sent);
    const held = await anonymous().patch(byToken(formId, token), nothing);
    const staff = await tenant.admin.patch(`${pathOf(formId)}/${id}`, nothing);
    for (const { status, body } of [held, staff])
      expect([status, body]).toEqual([200, expect.objectContaining(sent)]);
  });

  it('on a form, where null keeps its meaning for description, expiry and webhook settings', async () => {
    const { admin } = tenantOf(test);
    const optional = { isPublic: null, limitOnePerUser: null, definition: null, dataListIds: null };
    const cleared = { description: null, submissionTokenExpiryHours: null, webHookSettingsJson: null };
    const made = await admin.post('/api/forms', { name: 'F', isEnabled: true, ...optional, ...cleared });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ isPublic: true, limitOnePerUser: false, definition: {}, dataListIds: [] }),
    ]);
    const path = `/api/forms/${made.body['id']}`;
    const set = { description: 'text', submissionTokenExpiryHours: 5, definition: { a: null } };
    await admin.patch(path, { ...set, webHookSettingsJson: '{}' });
    const kept = await admin.patch(path, { ...optional, name: null, isEnabled: null });
    expect(kept.body).toMatchObject({ ...set, name: 'F', isEnabled: true, webHookSettingsJson: '{}' });
    expect((await admin.patch(path, cleared)).body).toMatchObject({ ...cleared, definition: { a: null } });
  });

  it('on an export, whose format may be blank or in any case', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const typeOf = async (body: object) => {
      const answer = await fetch(`${test.service.url}${pathOf(formId)}/export`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Admin'], sub: '11' })}`,
        },
        body: JSON.stringify(body),
      });
      await answer.arrayBuffer();
      return [answer.status, answer.headers.get('content-type')?.split(';')[0]];
    };
    for (const format of [null, '', '  ', 'CSV', ' csv '])
      expect(await typeOf({ format, filter: null, search: null, from: null, raw: null })).toEqual([
        200,
        'text/csv',
      ]);
    expect(await typeOf({ format: 'NdJson' })).toEqual([200, 'application/x-ndjson']);
    expect((await typeOf({ format: 'xls' }))[0]).toBe(400);
  });
});

describe('what is required', () => {
  it('must not be null', async () => {
    const { admin } = tenantOf(test);
    const made = await admin.post<{ errors: object }>('/api/forms', { name: null, isEnabled: true });
    expect([made.status, made.body.errors]).toEqual([400, { name: ['is required and must not be null'] }]);
  });

  it.each(['', '  ', '\u200b', '\u2060 \ufeff'])('must not be blank: %j', async (text) => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const form = await tenant.admin.post<{ errors: object }>('/api/forms', { name: text, isEnabled: true });
    const submission = await tenant.as('Integration').post<{ errors: object }>(`${pathOf(formId)}/onbehalf`, {
      submitter: { externalSubjectId: text, displayId: text },
    });
    expect([form.status, form.body.errors]).toEqual([400, { name: ['must not be blank'] }]);
    expect([submission.status, submission.body.errors]).toEqual([
      400,
      { 'submitter.externalSubjectId': ['must not be blank'], 'submitter.displayId': ['must not be blank'] },
    ]);
  });
});

it('If-Match may be a list', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const { id } = await begin(formId);
  const one = `${pathOf(formId)}/${id}`;
  const send = async (path: string, method: string, ifMatch: string, body?: object) => {
    const answer = await fetch(test.service.url + path, {
      method,
      headers: {
        'if-match': ifMatch,
        authorization: `Bearer ${test.own.token({ tid: tenant.id, roles: ['Admin'], sub: '11' })}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.status;
  };
  expect(await send(one, 'PATCH', '"3", "9"', { currentPage: 1 })).toBe(412);
  expect(await send(one, 'PATCH', '"1", "9"', { currentPage: 1 })).toBe(200);
  expect(await send(`${one}/status`, 'POST', '"x", "2"', { status: 'read' })).toBe(200);
  expect(await send(one, 'DELETE', '"1", "2"')).toBe(412);
  expect(await send(one, 'DELETE', '"1", "3"')).toBe(204);
  expect(await send(`/api/forms/${formId}`, 'PATCH', '"1", "2"', { name: 'N' })).toBe(200);
  expect(await send(`/api/forms/${formId}`, 'DELETE', '"1"')).toBe(412);
});
