import { auditFixture, type AuditFixture } from './audit-fixture';
import { auditOperations, dropExpiredDays, sealAudit, verifyAudit } from '../../src/audit';

let fixture: AuditFixture;
beforeEach(async () => (fixture = await auditFixture()));
afterEach(() => fixture.end());

const whole = { tenantId: null, from: null, to: null };
const day = () => new Date().toISOString().slice(0, 10);

/** Ten sealed rows of tenant 1, and one of tenant 2. */
async function tenRows(): Promise<void> {
  for (let n = 1; n <= 10; n++) await fixture.record('1', String(n), { after: { name: `Ünï ${n}` } });
  await fixture.record('2', '1');
  expect(await sealAudit(fixture.db)).toBe(11);
}

it('seals committed rows once, in one chain per tenant and day', async () => {
  expect(await sealAudit(fixture.db)).toBe(0);
  await tenRows();
  expect(await sealAudit(fixture.db)).toBe(0);
  await fixture.record('1', '11');
  expect(await sealAudit(fixture.db)).toBe(1);
  const { days, overdue } = await verifyAudit(fixture.db, whole);
  expect(overdue).toBe('0');
  expect(days).toEqual([
    {
      tenantId: '1',
      day: day(),
      rows: '11',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      isDropped: false,
    },
    { tenantId: '2', day: day(), rows: '1', hash: expect.any(String), isDropped: false },
  ]);
  expect((await verifyAudit(fixture.db, { ...whole, tenantId: '2' })).days).toHaveLength(1);
});

it('seals a row of a transaction that commits after later rows were sealed', async () => {
  await fixture.db.transaction(async (tx) => {
    await tx.query(`insert into audit (tenant_id, action, object_type) values (1, 'form.deleted', 'form')`);
    await fixture.record('1', '2');
    expect(await sealAudit(fixture.db)).toBe(1);
  });
  expect(await sealAudit(fixture.db)).toBe(1);
  expect((await verifyAudit(fixture.db, whole)).days).toMatchObject([{ rows: '2' }]);
});

it('two processes seal each row once', async () => {
  for (let round = 0; round < 5; round++) {
    await Promise.all(Array.from({ length: 20 }, (_, n) => fixture.record('1', String(n))));
    const sealed = await Promise.all([sealAudit(fixture.db), sealAudit(fixture.db), sealAudit(fixture.db)]);
    expect(sealed.reduce((sum, rows) => sum + rows)).toBeGreaterThanOrEqual(20);
  }
  expect((await verifyAudit(fixture.db, whole)).days).toMatchObject([{ rows: '100' }]);
});

it.each([
  [
    'a changed row',
    `update audit set actor_subject = 'other' where object_id = '4' and tenant_id = 1`,
    /row 4 \(id \d+\) was changed/,
  ],
  [
    'a changed byte of `after`',
    `update audit set after = replace(after::text, ':', ': ')::json where object_id = '4' and tenant_id = 1`,
    /row 4 \(id \d+\) was changed/,
  ],
  ['a removed row', `delete from audit where object_id = '4' and tenant_id = 1`, /row 4 was removed/],
  ['the removed end of a day', `delete from audit where object_id in ('9', '10')`, /row 9 was removed/],
  ['all rows removed', `delete from audit where tenant_id = 1`, /row 1 was removed/],
  [
    'an inserted row',
    `insert into audit (tenant_id, action, object_type, day, sequence, hash) select 1, 'form.deleted', 'form', day, 11, hash from audit where object_id = '10'`,
    /row 11 \(id \d+\) was inserted/,
  ],
  [
    'two exchanged rows',
    `update audit a set object_id = case object_id when '4' then '5' else '4' end where object_id in ('4', '5')`,
    /row 4 \(id \d+\) was changed/,
  ],
  [
    'a removed row with renumbered followers and count',
    `delete from audit where object_id = '10'; update audit_days set sealed_rows = 9 where tenant_id = 1`,
    /its last hash was changed/,
  ],
  ['a removed day', `delete from audit_days where tenant_id = 1`, /its rows have no chain/],
  [
    'a row with a made-up place on a day without a chain',
    `insert into audit (tenant_id, action, object_type, day, sequence, hash) values (1, 'form.deleted', 'form', '2020-01-01', 1, '\\x00');
     delete from audit where tenant_id = 1 and day > '2020-01-01'; delete from audit_days where tenant_id = 1`,
    /day 2020-01-01: its rows have no chain/,
  ],
])('finds %s', async (_, sql, message) => {
  await tenRows();
  await fixture.tamper(sql);
  const { breaks, days } = await verifyAudit(fixture.db, whole);
  expect(breaks).toEqual([expect.stringMatching(message)]);
  expect(days).toMatchObject([{ tenantId: '2' }]); // the check continues
  const [verify] = auditOperations('spec-svc', fixture.db);
  expect(await verify!.run({})).toMatchObject({
    hasFaults: true,
    rows: [{ tenantId: '2' }],
    say: expect.stringMatching(
      /^spec-svc: The audit trail is broken: tenant 1, day .*\nspec-svc: 1 days verified, 1 breaks\.$/,
    ),
  });
});

it('links the days: a removed day is found in the next one', async () => {
  await tenRows();
  // Moves the first day to yesterday; the chain of rows does not cover the day.
  await fixture.tamper(`update audit set day = day - 1; update audit_days set day = day - 1`);
  await fixture.record('1', '12');
  await sealAudit(fixture.db);
  expect((await verifyAudit(fixture.db, { ...whole, tenantId: '1' })).days).toMatchObject([
    { rows: '10' },
    { rows: '1' },
  ]);
  await fixture.tamper(
    `delete from audit where day < current_date; delete from audit_days where day < current_date`,
  );
  expect((await verifyAudit(fixture.db, whole)).breaks).toEqual([
    expect.stringContaining('it does not continue the day before'),
  ]);
});

it('finds the breaks of all tenants and days', async () => {
  await tenRows();
  await fixture.tamper(`update audit set action = 'form.deleted' where tenant_id = 2 or object_id = '4';
    insert into audit (tenant_id, action, object_type, day, sequence, hash) values (3, 'a', 'form', '2020-01-01', 1, '\\x00')`);
  expect((await verifyAudit(fixture.db, whole)).breaks.sort()).toEqual([
    expect.stringMatching(/^tenant 1, .*: row 4 /),
    expect.stringMatching(/^tenant 2, .*: row 1 /),
    expect.stringMatching(/^tenant 3, day 2020-01-01: its rows have no chain/),
  ]);
});

it.each([
  `insert into audit (tenant_id, action, object_type, hash) values (1, 'form.deleted', 'form', '\\x00')`,
  `insert into audit (tenant_id, action, object_type, day) values (1, 'form.deleted', 'form', '2020-01-01')`,
  `insert into audit (tenant_id, action, object_type, sequence) values (1, 'form.deleted', 'form', 11)`,
  `update audit set actor_subject = 'other'`,
  `update audit set hash = null`,
  `delete from audit`,
  `truncate audit`,
  `delete from audit_days`,
  `truncate audit_days`,
  `update audit_days set sealed_rows = sealed_rows - 1`,
  `update audit_days set dropped_at = now()`,
])('the role of the service cannot %s', async (sql) => {
  await tenRows();
  await expect(fixture.db.query(sql)).rejects.toThrow('append-only');
  expect((await verifyAudit(fixture.db, whole)).days).toHaveLength(2);
});

it('a role with DML rights only can record and seal, and cannot remove the guards', async () => {
  await fixture.attempt(async (tx) => {
    await tx.query(`create role audit_dml_only; grant usage on schema audited to audit_dml_only;
      grant usage, update on all sequences in schema audited to audit_dml_only;
      grant select, insert, delete, update (day, sequence, hash) on audited.audit to audit_dml_only;
      grant select, insert, update on audited.audit_days to audit_dml_only;
      set local role audit_dml_only; set local search_path = audited`);
    await tx.query(`insert into audit (tenant_id, action, object_type) values (1, 'form.deleted', 'form')`);
    await tx.query(`update audit set day = current_date, sequence = 1, hash = '\\x00'`);
    for (const sql of [
      `alter table audit disable trigger all`,
      `drop function audit_guard() cascade`,
      `update audit set action = 'form.created'`,
      `truncate audit`,
      `set local session_replication_role = replica`,
    ]) {
      await tx.query('savepoint before');
      await expect(tx.query(sql)).rejects.toThrow(/must be owner|permission denied/);
      await tx.query('rollback to savepoint before');
    }
    await expect(tx.query('delete from audit')).rejects.toThrow('append-only');
  });
});

it('retention drops whole days and keeps their last hash', async () => {
  await tenRows();
  await fixture.tamper(`update audit set day = day - 40; update audit_days set day = day - 40`);
  await fixture.record('1', '12');
  await sealAudit(fixture.db);
  const { signal } = new AbortController();
  expect(await dropExpiredDays(fixture.db, 40, signal)).toBe(0);
  expect(await dropExpiredDays(fixture.db, 39, signal)).toBe(2);
  expect(await dropExpiredDays(fixture.db, 39, signal)).toBe(0);
  expect(await fixture.db.query('select object_id from audit')).toEqual([{ object_id: '12' }]);
  expect((await verifyAudit(fixture.db, { ...whole, tenantId: '1' })).days).toMatchObject([
    { rows: '10', isDropped: true },
    { rows: '1', isDropped: false },
  ]);
});
