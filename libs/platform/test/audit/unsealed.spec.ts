import { createMetrics, silentLogger } from '@canvass/service-kit';
import { createAuditTrail, sealAudit } from '../../src/audit';
import { auditFixture, type AuditFixture } from './audit-fixture';

let fixture: AuditFixture;
beforeAll(async () => {
  fixture = await auditFixture();
});
afterAll(() => fixture.end());

it('audit_oldest_unsealed_seconds is the age of the oldest row without a seal', async () => {
  const { db } = fixture;
  const metrics = createMetrics('spec', { processMetrics: false });
  createAuditTrail({ db, logger: silentLogger, metrics, keptDays: 30 });
  const age = async () => {
    const line = await metrics.registry.getSingleMetricAsString('audit_oldest_unsealed_seconds');
    return Number(line.trim().split(' ').at(-1));
  };
  expect(await age()).toBe(0);
  await fixture.record('1', '7');
  await fixture.tamper(`update audit set occurred_at = now() - interval '90 seconds'`);
  await fixture.record('2', '8');
  expect(await age()).toBeGreaterThanOrEqual(90);
  await sealAudit(db);
  expect(await age()).toBe(0);
});
