import type { Database } from '@canvass/postgres';
import { withContext, type Operation, type OptionValues } from '@canvass/service-kit';
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { noTenant, recordAudit } from './record';
import { verifyAudit } from './verify';

/**
 * The operator command of the audit trail of a service.
 *
 * @param service shown in each row, because an operator reads several trails at once
 */
export function auditOperations(service: string, db: Database): Operation[] {
  return [
    {
      name: 'audit verify',
      about: 'Computes the hash chains of the audit trail again and names the breaks.',
      options: {
        tenant: { about: 'Id of one tenant.', kind: 'id' },
        from: { about: 'First day (UTC), by any time in it.', kind: 'time' },
        to: { about: 'Last day (UTC), by any time in it.', kind: 'time' },
      },
      async run({ tenant, from, to }: OptionValues) {
        const range = { tenantId: tenant ?? null, from: dayOf(from), to: dayOf(to) };
        const { days, breaks, overdue } = await verifyAudit(db, range);
        const rows = days.map((day) => ({ service, ...day }));
        const waiting = overdue === '0' ? '' : ` ${overdue} rows have waited for their seal for 5 minutes.`;
        const found = breaks.length === 0 ? 'no break' : `${breaks.length} breaks`;
        const lines = breaks.map((each) => `${service}: The audit trail is broken: ${each}\n`).join('');
        const say = `${lines}${service}: ${days.length} days verified, ${found}.${waiting}`;
        return { rows, say, hasFaults: breaks.length > 0 };
      },
    },
  ];
}

const dayOf = (time: string | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString().slice(0, 10);

/**
 * The operations, recorded in the audit trail if they change data or show stored contents. The row is written
 * before the operation runs, because some change what is not in the database of the trail.
 */
export const recorded = (db: Database, operations: readonly Operation[]): Operation[] =>
  operations.map((operation) => {
    if (operation.changes !== true && operation.showsContents !== true) return operation;
    return {
      ...operation,
      run: (values) =>
        asOperator(operation.name, async () => {
          const { tenant } = values;
          // Some operations also take the name of a tenant.
          const named = operation.options?.['tenant']?.kind === 'id' ? (tenant ?? noTenant) : noTenant;
          const tenantId = (await operation.tenantOf?.(values)) ?? named;
          const kept = Object.entries(values).filter(
            ([name]) =>
              operation.options?.[name]?.isPersonal !== true && !(name === 'tenant' && tenant === tenantId),
          );
          await recordAudit(db, { tenantId, object: ['operation', null], after: Object.fromEntries(kept) });
          return operation.run(values);
        }),
    };
  });

/** Runs a command of an operator, so that `recordAudit` names the operator and the command. */
export function asOperator<T>(command: string, run: () => Promise<T>): Promise<T> {
  const action = `ops.${command.replaceAll(/[ -]/g, '_')}`;
  return withContext({ requestId: randomUUID(), traceparent: '', actor: operator(), action }, run);
}

/** The account that runs the command. In a container it may have no name. */
function operator() {
  let name: string;
  try {
    name = userInfo().username;
  } catch {
    name = String(process.getuid?.());
  }
  return { provider: 'ops', kind: 'operator', subject: `${name}@${hostname()}` } as const;
}
