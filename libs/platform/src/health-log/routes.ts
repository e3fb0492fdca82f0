import { newestFirst, readBounded, readKeyPage, type Database } from '@canvass/postgres';
import {
  digestOf,
  endpoint,
  endSchema,
  instantSchema,
  listParameters,
  ok,
  type Endpoint,
} from '@canvass/service-kit';
import { changesAnswer, healthAnswer, type CopyView, type ServiceHealth } from './answers';
import {
  findChanges,
  findChecks,
  keptDays,
  statuses,
  type CheckRow,
  type HealthChange,
} from './health-log.sql';

/** The names of one service in its two operations. */
export interface HealthLogPlace {
  service: string;
  path: `/api/operations/health/${string}`;
  /** Ends the ids of the operations. */
  name: string;
}

const view = { permission: 'Operations.View' } as const;

/** The health of all copies of one service, and its history. */
export function healthLogRoutes(db: Database, { service, path, name }: HealthLogPlace): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path,
      operationId: `getHealthOf${name}`,
      summary: `The health of all copies of ${service}`,
      description:
        'Each copy reports its checks every ten seconds. The health of the gateway is at `/health/detail`.',
      access: view,
      answers: { 200: healthAnswer(service) },
      async handle() {
        const health: ServiceHealth = { service, copies: copiesOf(await db.query(findChecks())) };
        return ok(health, { etag: digestOf(health) });
      },
    }),
    endpoint.read({
      method: 'get',
      path: `${path}/history`,
      operationId: `listHealthChangesOf${name}`,
      summary: `Changes of the health of ${service}, newest first`,
      description: `Changes are kept for ${keptDays} days. While the database of a service does not work, nothing is recorded; its copies are \`Silent\` for that time.`,
      access: view,
      query: listParameters<{ from?: Date; to?: Date }>({
        from: instantSchema('changes at or after this time'),
        to: endSchema('changes before this time'),
      }),
      answers: { 200: changesAnswer },
      problems: ['query_too_broad'],
      async handle({ query: { from = null, to = null, ...window } }) {
        const changes = findChanges({ from, to });
        const page = await readBounded(db, 'Limit the time by from and to.', (tx) =>
          readKeyPage(tx, changes, newestFirst, window, (change: HealthChange) => change),
        );
        return ok(page);
      },
    }),
  ];
}

function copiesOf(rows: readonly CheckRow[]): CopyView[] {
  const copies = new Map<string, CopyView>();
  for (const { copy, reportedAt, ...check } of rows) {
    const found = copies.get(copy) ?? { copy, status: 'Healthy', reportedAt, checks: [] };
    const isWorse = statuses.indexOf(check.status) > statuses.indexOf(found.status);
    copies.set(copy, {
      copy,
      status: isWorse ? check.status : found.status,
      reportedAt: reportedAt > found.reportedAt ? reportedAt : found.reportedAt,
      checks: [...found.checks, check],
    });
  }
  return [...copies.values()];
}
