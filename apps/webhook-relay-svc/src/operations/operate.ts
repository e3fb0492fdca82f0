import { outboxOperations } from '@canvass/outbox';
import { createDatabase } from '@canvass/postgres';
import { runOperation, type OperatorTerminal } from '@canvass/service-kit';
import type { RelaySettings } from '../config';
import { deadLetterOperations } from './dead-letter-operations';
import { endpointOperations } from './endpoint-operations';

/** `ops …` on the command line. @returns the exit status */
export async function operate(
  argv: readonly string[],
  { Database, Broker }: Pick<RelaySettings, 'Database' | 'Broker'>,
  terminal: OperatorTerminal,
): Promise<number> {
  const db = createDatabase({ ...Database, PoolMax: 1 }, { applicationName: 'webhook-relay-svc ops' });
  try {
    const operations = [
      ...endpointOperations(db),
      ...deadLetterOperations(Broker),
      ...outboxOperations('webhook-relay-svc', db),
    ];
    return await runOperation(argv, operations, terminal);
  } finally {
    await db.close();
  }
}
