import { eventually } from '@canvass/testing';
import { startHarness, tenantOf, type Tenant, type Harness } from './harness';
import { pathOf, type Submission } from './submission-calls';

let test: Harness;
beforeAll(async () => {
  test = await startHarness();
});
afterAll(() => test.close());

const live = async (formId: string) => {
  const [row] = await test.db.query<{ live: number }>(
    'select count(*)::int as live from submissions where form_id = $1 and deleted_at is null',
    [formId],
  );
  return row!.live;
};

const answer = (tenant: Tenant, formId: string) => tenant.user().post<Submission>(pathOf(formId), {});

describe('the gate, turned on while creates are under way', () => {
  it('counts a submission created after a waiting create began and before the gate', async () => {
    const tenant = tenantOf(test);
    await answer(tenant, await tenant.form()); // makes the respondent
    const formId = await tenant.form();
    const second = await test.db.transaction(async (tx) => {
      // What the form's change does: keeps creates waiting, while a first submission has just been made.
      await tx.query('select from forms where id = $1 for update', [formId]);
      const waiting = answer(tenant, formId);
      await eventually(async () => {
        const [row] = await test.db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(row).toBeDefined();
      });
      await tx.query(
        `insert into submissions (tenant_id, form_id, is_complete, is_test_submission, current_page, json_data, metadata,
           collection_status, submitter_id)
         select tenant_id, $2, false, false, 0, '{}', '{}', 'in_progress', id from submitters where tenant_id = $1`,
        [tenant.id, formId],
      );
      await tx.query('update forms set limit_one_per_user = true, revision = revision + 1 where id = $1', [
        formId,
      ]);
      return { waiting };
    });
    // The one of the gate is unfinished, so that its respondent gets it.
    expect((await second.waiting).status).toBe(200);
    expect(await live(formId)).toBe(1);
  });

  it('is on with one submission, or refused with more, in every one of 60 races', async () => {
    const tenant = tenantOf(test);
    for (let race = 0; race < 60; race += 1) {
      const formId = await tenant.form();
      const [first, gate, second] = await Promise.all([
        answer(tenant, formId),
        tenant.admin.patch(`/api/forms/${formId}`, { limitOnePerUser: true }),
        answer(tenant, formId),
      ]);
      const made = [first, second].filter(({ status }) => status === 201).length;
      expect(await live(formId)).toBe(made);
      expect([200, 409]).toContain(gate.status);
      expect(gate.status === 200 ? [made, gate.body['limitOnePerUser']] : made).toEqual(
        gate.status === 200 ? [1, true] : 2,
      );
    }
  });

  it('does not delay others while a form is changed all the time', async () => {
    const tenant = tenantOf(test);
    const formId = await tenant.form({ limitOnePerUser: true });
    const changes = Array.from({ length: 20 }, (_, n) =>
      tenant.admin.patch(`/api/forms/${formId}`, { name: `Name ${n}` }),
    );
    const answers = Array.from({ length: 20 }, (_, n) =>
      tenant.user({ sub: `3${n}` }).post(pathOf(formId), {}),
    );
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(20).fill(201));
  });
});
