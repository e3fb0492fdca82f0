import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { startHarness, tenantOf, type Reply, type Harness } from './harness';
import { pathOf, submissionCalls } from './submission-calls';
import { tapWire, type WireTap } from './wire-tap';

let test: Harness;
let tap: WireTap;
beforeAll(async () => {
  test = await startHarness({
    databaseThrough: async (url) => (tap = await tapWire(url)).url,
  });
  // The re-encryption after the start, column by column.
  const begun: string[] = [];
  await eventually(() => {
    begun.push(...tap.take().flat());
    return begun.some((trip) => trip.includes('from webhook_settings_versions'));
  });
});
afterAll(async () => {
  await test.close();
  await tap.close();
});

const { anonymous } = submissionCalls(() => test);
const withKey = () => ({ 'idempotency-key': randomUUID() });
const payload = (subject: string) => ({ submitter: { externalSubjectId: subject, displayId: subject } });

/** The timers of the service have transactions of their own. */
const background =
  /^(form_access_keys|signing_keys|idempotency_remove|audit_(find|take|mark)|quotas_(?!lock|count_forms)|health_log|jobs_(?!insert)|select pg_is_in_recovery)/;

/** Returns what was asked since the last call, once a transaction of a timer that is open has ended. */
const takeTrips = async () =>
  (await eventually(() => tap.take())).filter((trips) => !trips.some((trip) => background.test(trip))).flat();

const tripsOf = async (call: () => Promise<Reply>): Promise<string[]> => {
  await takeTrips();
  const { status } = await call();
  expect(status).toBe(201);
  return takeTrips();
};

describe('round trips to the database, outbox row included', () => {
  it.each([
    ['a form', {}],
    ['a gated form', { limitOnePerUser: true }],
  ])('of creates on %s: one', async (_, members) => {
    const tenant = tenantOf(test);
    const path = pathOf(await tenant.form(members));
    const other = pathOf(await tenant.form(members));
    expect(await tripsOf(() => anonymous().post(path, {}))).toEqual(['submissions_create_anonymous']);
    await anonymous().post(other, { isComplete: true }); // reads the definition
    expect(await tripsOf(() => anonymous().post(other, { isComplete: true }))).toEqual([
      'answer_check_find_form',
      'submissions_create_anonymous',
    ]);
    expect(await tripsOf(() => tenant.user().post(path, {}))).toEqual(['submissions_create_identified']);
    expect(await tripsOf(() => tenant.user().post(other, {}))).toEqual(['submissions_create_identified']);
    expect(await tripsOf(() => tenant.external().post(path, {}))).toHaveLength(1);
    const crm = tenant.as('Integration');
    expect(await tripsOf(() => crm.post(`${path}/onbehalf`, {}))).toEqual(['submissions_create_anonymous']);
    expect(await tripsOf(() => crm.post(`${path}/onbehalf`, payload('c1')))).toHaveLength(1);
    expect(await tripsOf(() => crm.post(`${other}/onbehalf`, payload('c1')))).toHaveLength(1);
  });

  it('of a create with an Idempotency-Key: the transaction that holds key, change and answer', async () => {
    const tenant = tenantOf(test);
    const path = pathOf(await tenant.form());
    const around = (create: string) => [
      'begin',
      `set local lock_timeout = '5s'`,
      'idempotency_reserve',
      'set local lock_timeout = default',
      'savepoint within_tx',
      create,
      'release savepoint within_tx',
      'idempotency_keep',
      'commit',
    ];
    expect(await tripsOf(() => tenant.user().post(path, {}, withKey()))).toEqual(
      around('submissions_create_identified'),
    );
    const crm = tenant.as('Integration');
    expect(await tripsOf(() => crm.post(`${path}/onbehalf`, payload('c2'), withKey()))).toEqual(
      around('submissions_create_identified'),
    );
    // Keys are the tenant's; who is anonymous names none, so the form is asked for it.
    expect(await tripsOf(() => anonymous().post(path, {}, withKey()))).toEqual([
      'submissions_get_form_tenant',
      ...around('submissions_create_anonymous'),
    ]);
  });

  it('of a list: two for the next submissions of a form, further ones with a total or a filter', async () => {
    const tenant = tenantOf(test);
    const path = pathOf(await tenant.form());
    expect((await tenant.user().post(path, {})).status).toBe(201);
    const tripsOfList = async (query: string) => {
      await takeTrips();
      expect((await tenant.as('Admin').get(`${path}?${query}`)).status).toBe(200);
      return takeTrips();
    };
    expect(await tripsOfList('limit=20')).toEqual([
      'submissions_get_form_name',
      expect.stringContaining('with page as'),
    ]);
    expect(await tripsOfList('limit=20&total=exact&filter=isComplete:false')).toEqual([
      'submissions_get_form_name',
      'begin; set local statement_timeout = 5000',
      expect.stringContaining('with page as'),
      expect.stringContaining('select count(*)'),
      'commit',
    ]);
  });

  it('leaves one event each', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form();
    await takeTrips();
    const { body } = await tenant.user().post<{ id: string }>(pathOf(formId), {});
    expect(await takeTrips()).toHaveLength(1);
    expect(await test.events({ entityId: body.id })).toHaveLength(1);
  });
});
