import { auditOperations, recorded } from '@canvass/audit';
import { outboxOperations } from '@canvass/outbox';
import { createDatabase } from '@canvass/postgres';
import { runOperation, type OperatorTerminal } from '@canvass/service-kit';
import type { RelaySettings } from '../config';
import { deadLetterOperations } from './dead-letter-operations';
import { deliveryOperations } from './delivery-operations';
import { endpointOperations } from './endpoint-operations';

/** `ops …` on the command line. @returns the exit status */
export async function operate(
  argv: readonly string[],
  { Database, Broker }: Pick<RelaySettings, 'Database' | 'Broker'>,
  terminal: OperatorTerminal,
): Promise<number> {
  const name = 'webhook-relay-svc';
  const db = createDatabase({ ...Database, PoolMax: 1 }, { applicationName: `${name} ops` });
  try {
    const operations = [
      ...endpointOperations(db),
      ...deliveryOperations(db),
      ...deadLetterOperations(Broker),
      ...outboxOperations(name, db),
    ];
    return await runOperation(argv, [...recorded(db, operations), ...auditOperations(name, db)], terminal);
  } finally {
    await db.close();
  }
}
