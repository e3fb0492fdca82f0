import { behindLock } from '@canvass/testing';
import { client, startHarness, tenantOf, type Reply, type Harness } from './harness';
import { answered, byToken, pathOf, submissionCalls, together, type Submission } from './submission-calls';

/** Everything at once: what must be true once is decided by the database, however many writers race. */
let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const { begin, eventsOf } = submissionCalls(() => test);
const submittersOf = (tenantId: string) =>
  test.db.query<{ id: string; subject: string }>(
    'select id, external_subject_id as subject from submitters where tenant_id = $1 order by id',
    [tenantId],
  );

it.each(['user', 'external'] as const)(
  'of 200 racing creates by one respondent (%s) on a gated form one succeeds: one submitter, one event',
  async (kind) => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const respondent = tenant[kind]({ sub: '4711' });
    const replies = await together(200, () =>
      answered(() => respondent.post<Submission>(pathOf(formId), {})),
    );

    const made = replies.filter(({ status }) => status === 201);
    const resumed = replies.filter(({ status }) => status === 200);
    expect([made.length, resumed.length]).toEqual([1, 199]);
    const [{ body: winner }] = made as [Reply<Submission>];
    expect(new Set(resumed.map(({ body }) => body['id']))).toEqual(new Set([winner['id']]));

    expect(await submittersOf(tenant.id)).toEqual([{ id: winner['submitterId'], subject: '4711' }]);
    const rows = await test.db.query(
      'select id, restriction_key as key from submissions where form_id = $1',
      [formId],
    );
    const key = `SingleSubmission:Form:${formId}:Submitter:${winner['submitterId']}`;
    expect(rows).toEqual([{ id: winner['id'], key }]);
    const events = await test.events({ tenantId: tenant.id });
    expect(events.map(({ type, entityId }) => [type, entityId])).toEqual([
      ['form.created', formId],
      ['submission.created', winner['id']],
    ]);
  },
);

it('of 200 racing completions of one submission, by token and by id, one makes the completion event', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const { id, token } = await begin(formId);
  const one = `${pathOf(formId)}/${id}`;
  const anonymous = client(test.service.url);
  const complete = { isComplete: true };
  const ways = [
    () => anonymous.patch(byToken(formId, token), complete),
    () => tenant.admin.patch(one, complete),
    () => tenant.admin.put(one, complete),
    () => tenant.admin.patch(one, { ...complete, metadata: '{"by":"merge"}' }),
  ];
  const replies = await together(200, (n) => answered(ways[n % ways.length]!));

  // Completion uses the token up, so that its later holders find nothing.
  expect(
    replies.filter(({ status }, n) => status !== 200 && (status !== 404 || n % ways.length > 0)),
  ).toEqual([]);
  const events = await eventsOf(id);
  expect(events.filter(([type]) => type === 'completed')).toHaveLength(1);
  expect(events.map(([, revision]) => revision)).toEqual(events.map((_, n) => n + 1));
  const { body } = await tenant.admin.get(one);
  expect(body).toMatchObject({ isComplete: true, revision: String(events.length) });
});

it('of two first submissions of one person on two forms, 20 times over, each makes the same submitter', async () => {
  const tenant = tenantOf(test);
  const forms = [await tenant.form(), await tenant.form({ limitOnePerUser: true })];
  const people = await together(20, async (n) => {
    const person = tenant.external({ sub: `person-${n}` });
    const replies = await Promise.all(
      forms.map((form) => answered(() => person.post<Submission>(pathOf(form), {}))),
    );
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    return new Set(replies.map(({ body }) => body['submitterId']));
  });
  expect(people.map(({ size }) => size)).toEqual(Array(20).fill(1));
  expect(await submittersOf(tenant.id)).toHaveLength(20);
});

it('one subject of two tenants is two submitters, also at the same moment', async () => {
  const tenants = [tenantOf(test), tenantOf(test)];
  const forms = await Promise.all(tenants.map((tenant) => tenant.form({ limitOnePerUser: true })));
  const replies = await together(40, (n) =>
    answered(() => tenants[n % 2]!.external({ sub: 'same' }).post<Submission>(pathOf(forms[n % 2]!), {})),
  );
  const made = replies.filter(({ status }) => status === 201).map(({ body }) => body['submitterId']);
  expect(new Set(made).size).toBe(2);
  expect(made).toHaveLength(2);
  const stored = await Promise.all(tenants.map(({ id }) => submittersOf(id)));
  expect(stored.map((rows) => rows.map(({ subject }) => subject))).toEqual([['same'], ['same']]);
  expect(new Set(stored.flat().map(({ id }) => id))).toEqual(new Set(made));
});

describe('a save that waits while its form is', () => {
  const metadata = '{"merged":true}';
  const change = { jsonData: '{"a":1}', metadata };

  it('disabled is rejected by token, without a success response', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id, token } = await begin(formId);
    const [reply] = await behindLock(
      test.db,
      (tx) => tx.query('select from submissions where id = $1 for update', [id]),
      [() => client(test.service.url).patch(byToken(formId, token), change)],
      () => tenant.admin.patch(`/api/forms/${formId}`, { isEnabled: false }),
    );
    expect([reply?.status, reply?.body['errorCode']]).toEqual([409, 'form_disabled']);
  });

  it('deleted is a 404', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    const { id } = await begin(formId);
    const [reply] = await behindLock(
      test.db,
      (tx) => tx.query('select from submissions where id = $1 for update', [id]),
      [() => tenant.admin.patch(`${pathOf(formId)}/${id}`, change)],
      () => tenant.admin.delete(`/api/forms/${formId}`),
    );
    expect(reply?.status).toBe(404);
  });
});

it('20 racing first creates of one user all succeed when Postgres finds the other row after its check', async () => {
  const tenant = tenantOf(test);
  const formId = await tenant.form();
  const user = tenant.user({ sub: '4712' });
  const replies = await withSlowIndexes(() =>
    together(20, () => answered(() => user.post<Submission>(pathOf(formId), {}))),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(new Set(replies.map(({ body }) => body['submitterId'])).size).toBe(1);
});

/**
 * Postgres checks the index of `on conflict`, then inserts into all indexes in the order of their creation.
 * A slow one before the others lets each statement find the row of another after its check.
 */
async function withSlowIndexes<T>(act: () => Promise<T>): Promise<T> {
  const [key] = await test.db.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = 'submitters'::regclass and contype = 'u'`,
  );
  const [own] = await test.db.query<{ definition: string }>(
    `select pg_get_indexdef('submitters_own_user'::regclass) as definition`,
  );
  await test.db.query(`
    create function slowly(text) returns text immutable language plpgsql as $$
      begin perform pg_sleep(0.2 * random()); return $1; end $$;
    create index slow on submitters (slowly(external_subject_id));
    alter table submitters drop constraint ${key!.name}, add constraint ${key!.name} ${key!.definition};
    drop index submitters_own_user;
    ${own!.definition}`);
  try {
    return await act();
  } finally {
    await test.db.query('drop index slow; drop function slowly');
  }
}
