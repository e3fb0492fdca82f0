import { eventually } from '@canvass/testing';
import { startHarness, tenantOf } from './harness';
import { bulkOf, endedJob, fillForm, type Job } from './job-calls';
import { startProcess } from './service-processes';

describe('the crash of the process in the middle of a step', () => {
  it('does nothing twice and loses nothing', async () => {
    const world = await startHarness();
    try {
      await world.service.stop('only processes work on the job');
      const tenant = tenantOf(world);
      const killed = await startProcess(world.config);
      const admin = tenantOf({ ...world, service: { ...world.service, url: killed.url } }, tenant.id).admin;
      const { body: form } = await admin.post<{ id: string }>('/api/forms', { name: 'A', isEnabled: true });
      await fillForm(world, tenant, form.id, 450);
      const [held] = await world.db.query<{ id: string }>(
        'select id from submissions where tenant_id = $1 order by id offset 250 limit 1',
        [tenant.id],
      );
      // A lock on one submission holds the third step, so that the process is killed within it.
      const session = await world.db.openSession('hold');
      await session.query('begin');
      await session.query('select from submissions where tenant_id = $1 and id = $2 for update', [
        tenant.id,
        held!.id,
      ]);
      const reply = await admin.post<Job>(bulkOf(form.id), { action: 'delete', filter: {} });
      expect(reply.status).toBe(202);
      await eventually(async () => {
        const [step] = await world.db.query<{ isHeld: boolean; done: number }>(
          `select done::integer, exists (select from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock') as "isHeld" from jobs`,
        );
        expect(step).toEqual({ isHeld: true, done: 200 });
      });
      await killed.kill();
      await session.query('rollback');
      await session.end();
      const next = await startProcess(world.config);
      try {
        const other = tenantOf({ ...world, service: { ...world.service, url: next.url } }, tenant.id).admin;
        expect(await endedJob(other, reply.body.id)).toMatchObject({
          state: 'done',
          done: 450,
          counts: { changed: 450, skipped: 0 },
        });
      } finally {
        await next.stop();
      }
      const [row] = await world.db.query(
        `select count(*)::integer as events, count(distinct entity_id)::integer as entities,
           (select count(*)::integer from audit where action = 'submission.deleted') as audited,
           (select count(distinct object_id)::integer from audit where action = 'submission.deleted') as different
         from outbox where event_type = 'submission.deleted'`,
      );
      expect(row).toEqual({ events: 450, entities: 450, audited: 450, different: 450 });
    } finally {
      await world.close();
    }
  }, 180_000);
});
