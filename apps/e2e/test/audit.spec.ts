import { clientOf, eventually, login, type Client } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { Client as Database } from 'pg';
import { demoTenant, signIn, type Callers } from '../src/client';
import { auditDay, type RecordedStep } from '../src/audit-day';
import { runOps } from '../src/ops';
import { permissionTable } from '../src/permission-table';
import { processLogs, stackFile } from '../src/stack';

interface AuditRecord {
  id: string;
  area: string;
  action: string;
  actor: { provider: string; kind: string; subject: string } | null;
  object: { type: string; id: string | null };
  address: string | null;
  requestId: string | null;
}

let callers: Callers;
beforeAll(async () => (callers = await signIn()));

const routes = permissionTable();
const newest = (admin: Client, query: string) =>
  admin.expect<{ items: AuditRecord[]; next: string | null }>(200, 'GET', `/api/audit?${query}`);

/** All actions after that with the id `since`, oldest first, by pages of seven. */
async function trailSince(admin: Client, since: string): Promise<AuditRecord[]> {
  const found: AuditRecord[] = [];
  for (let after = ''; ;) {
    const { items, next } = await newest(admin, `limit=7${after}`);
    found.push(...items.filter(({ id }) => BigInt(id) > BigInt(since)));
    if (next === null || BigInt(items.at(-1)!.id) <= BigInt(since)) return found.reverse();
    after = `&after=${next}`;
  }
}

const shown = ({ action, object }: { action: string; object: string | null }) => `${action} ${object}`;

describe('the audit trail of a scripted day', () => {
  let done: RecordedStep[];
  let trail: AuditRecord[];
  let staff: { id: string; client: Client };

  beforeAll(async () => {
    const credentials = { email: `${randomUUID()}@demo.example`, password: randomUUID() };
    const { id } = await callers.admin.expect<{ id: string }>(201, 'POST', '/api/users', {
      ...credentials,
      roles: ['Admin'],
    });
    const token = await login(callers.gatewayUrl, credentials.email, credentials.password, demoTenant);
    staff = { id, client: clientOf(callers.gatewayUrl, token) };
    const since = (await newest(callers.admin, 'limit=1')).items[0]?.id ?? '0';
    done = await auditDay(callers, { client: staff.client, password: credentials.password });
    trail = await trailSince(callers.admin, since);
  }, 240_000);

  it('has every action once, and nothing else', () => {
    const expected = done.flatMap(({ operation, object, ...step }) => {
      const action = step.action ?? routes.find((route) => route.operation === operation)?.recorded;
      return typeof action === 'string' ? [shown({ action, object })] : [];
    });
    expect(trail.map(({ action, object }) => shown({ action, object: object.id })).sort()).toEqual(
      expected.sort(),
    );
  });

  it('covers every operation of the API that is recorded', () => {
    const recorded = routes.filter((route) => route.recorded !== null).map(({ operation }) => operation);
    const played = new Set(done.map(({ operation }) => operation));
    expect(recorded.filter((operation) => !played.has(operation))).toEqual([]);
  });

  it('names actor, address and request of each action', () => {
    expect(new Set(trail.map(({ area }) => area))).toEqual(
      new Set(['forms', 'data-lists', 'webhooks', 'identity']),
    );
    for (const record of trail) {
      expect(record).toMatchObject({ address: '127.0.0.1', requestId: expect.any(String) });
      if (record.area !== 'identity')
        expect(record.actor).toEqual({ provider: 'Service', kind: 'user', subject: staff.id });
    }
  });

  it('names each request by an id that a client cannot choose, and keeps that of the client', async () => {
    const headers = {
      authorization: `Bearer ${callers.admin.token}`,
      'content-type': 'application/json',
      'x-request-id': trail[0]!.requestId!,
      'x-canvass-request-id': trail[0]!.requestId!,
    };
    for (const [area, path] of [
      ['forms', '/api/forms'],
      ['data-lists', '/api/data-lists'],
    ] as const) {
      const body = JSON.stringify({ name: randomUUID() });
      const response = await fetch(`${callers.gatewayUrl}${path}`, { method: 'POST', headers, body });
      expect(response.headers.get('x-request-id')).toBe(trail[0]!.requestId);
      const { id } = (await response.json()) as { id: string };
      const { items } = await newest(callers.admin, `area=${area}&objectId=${id}`);
      expect(items).toMatchObject([{ clientRequestId: trail[0]!.requestId }]);
      expect(items[0]!.requestId).not.toBe(trail[0]!.requestId);
    }
  });

  it('is not visible to another tenant', async () => {
    const { items } = await newest(callers.stranger, 'limit=200');
    const own = new Set(trail.map(({ id }) => id));
    expect(items.filter(({ id }) => own.has(id))).toEqual([]);
  });

  it('the log lines of gateway and services have the network of the client, and of services its subject', async () => {
    await eventually(async () => {
      const logs = await processLogs();
      const linesOf = (service: string) =>
        (logs[`${service}.log`] ?? '')
          .split('\n')
          .filter((line) => line.includes('"network":"127.0.0.0/24"'));
      expect(linesOf('gateway')).not.toEqual([]);
      for (const service of ['submissions-svc', 'datalists-svc', 'identity-svc', 'webhook-relay-svc'])
        expect(linesOf(service).filter((line) => line.includes(`"subject":"${staff.id}"`))).not.toEqual([]);
    });
  });
});

describe('ops audit verify', () => {
  it('finds a removed row, and none after it is back', async () => {
    const { databaseUrl, demo } = await stackFile();
    await callers.admin.expect(201, 'POST', '/api/forms', { name: randomUUID(), isEnabled: false });
    const database = new Database({ connectionString: databaseUrl });
    await database.connect();
    try {
      const ofTenant = ['audit', 'verify', '--tenant', demo.tenantId];
      await database.query(`set session_replication_role = replica`);
      const last = await eventually(async () => {
        const { rows } = await database.query<{ id: string }>(
          `select id from submissions.audit where tenant_id = $1 and hash is not null order by id desc limit 1`,
          [demo.tenantId],
        );
        if (rows[0] === undefined) throw new Error('No row is sealed yet.');
        return rows[0].id;
      });
      expect(await runOps(...ofTenant)).toMatchObject({ status: 0 });
      await database.query(
        `create table public.removed as select * from submissions.audit where id = ${last}`,
      );
      await database.query(`delete from submissions.audit where id = $1`, [last]);
      const broken = await runOps(...ofTenant);
      await database.query(`insert into submissions.audit select * from public.removed`);
      await database.query(`drop table public.removed`);
      expect(broken).toMatchObject({
        status: 3,
        said: expect.stringMatching(
          /submissions-svc: The audit trail is broken: tenant \d+, day [\d-]+: row \d+ was removed/,
        ),
      });
      expect(await runOps(...ofTenant)).toMatchObject({ status: 0 });
    } finally {
      await database.end();
    }
  }, 240_000);
});
