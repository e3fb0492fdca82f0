import { startHarness, tenantOf, type Harness } from './harness';
import { byToken, pathOf, submissionCalls, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness({ submitter: { ProfileSnapshotFields: ['department'] } });
});
afterAll(() => test.close());

const { anonymous, begin } = submissionCalls(() => test);

/** Bodies that real clients send by mistake, with the member that they mean. */
const misspelt: [string, object, string | null][] = [
  ['jsondata', { jsondata: '{"a":1}', isComplete: true }, 'jsonData'],
  ['json_data', { json_data: '{"a":1}', isComplete: true }, 'jsonData'],
  ['JsonData', { JsonData: '{"a":1}' }, 'jsonData'],
  ['jsonDate', { jsonDate: '{"a":1}' }, 'jsonData'],
  ['is_complete', { jsonData: '{"a":1}', is_complete: true }, 'isComplete'],
  ['isCompleted', { jsonData: '{"a":1}', isCompleted: true }, 'isComplete'],
  ['iscomplete', { jsonData: '{"a":1}', iscomplete: true }, 'isComplete'],
  ['complete', { jsonData: '{"a":1}', complete: true }, 'isComplete'],
  ['current_page', { current_page: 2 }, 'currentPage'],
  ['currentPages', { currentPages: 2 }, 'currentPage'],
  ['metaData', { metaData: '{}' }, 'metadata'],
  ['meta', { meta: '{}' }, null],
  ['collection_outcome', { collection_outcome: 'screen_out' }, 'collectionOutcome'],
  ['answers', { answers: { a: 1 }, isComplete: true }, null],
];

describe('a member that no operation knows is refused, and nothing is stored', () => {
  it.each(misspelt)('%s', async (name, body, meant) => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id, token } = await begin(formId);
    const hint = meant === null ? '' : `; did you mean "${meant}"?`;
    const refused = [400, { [name]: [`is not a known member${hint}`] }];
    const staff = name.startsWith('collection') ? [] : [tenant.admin.patch(`${pathOf(formId)}/${id}`, body)];
    for (const answer of await Promise.all([
      anonymous().post(pathOf(formId), body),
      anonymous().patch(byToken(formId, token), body),
      ...staff,
    ]))
      expect([answer.status, answer.body['errors']]).toEqual(refused);
    const { body: list } = await tenant.admin.get<{ items: Submission[] }>(pathOf(formId));
    expect(list.items).toEqual([expect.objectContaining({ id, jsonData: '{}', isComplete: false })]);
  });
});

it('names of a submitter are dropped from what respondents send, whatever they hold', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const forged = {
    submitter: { externalSubjectId: 'x', displayId: 'X' },
    submitterId: '1',
    submitterDisplayId: 'X',
    submitterProfileSnapshot: { department: 'X' },
    submittedBy: '1',
    authProvider: 'Service',
    externalSubjectId: 'x',
    appUserId: '1',
    displayId: null,
    profile: [],
    restrictionKey: 'x',
    isTestSubmission: true,
    tenantId: '1',
  };
  const made = await anonymous().post<Submission>(pathOf(formId), { ...forged, jsonData: '{"a":1}' });
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({ submitterId: null, submitterDisplayId: null, jsonData: '{"a":1}' }),
  ]);
  const saved = await anonymous().patch(byToken(formId, String(made.body['token'])), forged);
  expect([saved.status, saved.body]).toEqual([
    200,
    expect.objectContaining({ submitterId: null, isTestSubmission: false }),
  ]);
});

it('a submission may be sent back as it was read', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const { id, token } = await begin(formId);
  const held = await anonymous().get<Submission>(byToken(formId, token));
  expect((await anonymous().patch(byToken(formId, token), held.body)).status).toBe(200);
  const one = `${pathOf(formId)}/${id}`;
  const read = await tenant.admin.get<Submission>(one);
  for (const method of ['PUT', 'PATCH'])
    expect(await tenant.admin.call(method, one, { ...read.body, jsonData: '{"b":2}' })).toMatchObject({
      status: 200,
    });
});

it('a hint helps within objects and lists, too', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const onBehalf = await tenant.as('Integration').post(`${pathOf(formId)}/onbehalf`, {
    submitter: { externalSubjectID: 'a', displayId: 'A' },
  });
  expect(onBehalf.body['errors']).toMatchObject({
    'submitter.externalSubjectID': ['is not a known member; did you mean "externalSubjectId"?'],
  });
  const settings = { events: { SubmissionCompleted: { IsEnabled: true } } };
  const put = await tenant.admin.call('PUT', `/api/forms/${formId}/webhook-settings`, { settings });
  expect([put.status, put.body['errors']]).toMatchObject([
    400,
    { 'settings.events': ['is not a known member; did you mean "Events"?'] },
  ]);
});

it('the response on behalf names the profile fields that are not stored', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const submitter = {
    externalSubjectId: 'a',
    displayId: 'A',
    profile: { department: 'Research', level: '3' },
  };
  const made = await tenant.as('Integration').post(`${pathOf(formId)}/onbehalf`, { submitter });
  expect(made.body).toMatchObject({
    submitterProfileSnapshot: { department: 'Research' },
    ignoredProfileFields: ['level'],
  });
  const anonymously = await tenant.as('Integration').post(`${pathOf(formId)}/onbehalf`, {});
  expect(anonymously.body).toMatchObject({ ignoredProfileFields: [] });
});
