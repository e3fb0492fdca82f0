import { createHash, createHmac } from 'node:crypto';
import { withClient } from '../../session';
import type { ReceivedHook } from '../records';
import { groupBy } from '../verdict/events';
import type { Stored } from './stored';

/** Few, because bodies may have a megabyte. */
const messagesAtOnce = 50;
const prefix = 'whsec_';

/**
 * Returns a sentence for each received webhook whose signature is not that of its bytes with the secret that the
 * API shows for its endpoint (Standard Webhooks 1.0). The bytes are those that the relay keeps, if they have the
 * digest of the received ones. Those of erased submissions are no longer kept, and are not checked.
 *
 * @param secretOf returns the signing secret of an endpoint (`whsec_…`)
 */
export async function findWrongSignatures(
  databaseUrl: string,
  hooks: readonly ReceivedHook[],
  deliveries: Stored['deliveries'],
  secretOf: (tenantId: string, endpointId: string) => Promise<string>,
): Promise<string[]> {
  const byId = groupBy(hooks, ({ id }) => id);
  const endpointsOf = groupBy([...deliveries.keys()], (key) => key.slice(0, key.indexOf(' ')));
  const keys = new Map<string, Buffer>();
  const wrong: string[] = [];

  async function keyOf(tenantId: string, endpointId: string): Promise<Buffer> {
    const known = keys.get(endpointId);
    const key = known ?? Buffer.from((await secretOf(tenantId, endpointId)).slice(prefix.length), 'base64');
    keys.set(endpointId, key);
    return key;
  }

  async function check({ id, tenantId, body }: SentMessage): Promise<void> {
    const digest = createHash('sha256').update(body).digest('base64');
    const received = byId.get(id)!.filter((hook) => hook.digest === digest);
    const endpoints = (endpointsOf.get(id) ?? []).map((key) => key.slice(key.indexOf(' ') + 1));
    const secrets = await Promise.all(endpoints.map((endpointId) => keyOf(tenantId, endpointId)));
    for (const hook of received) {
      const expected = secrets.map((key) => signatureOf(key, hook, body));
      if (!expected.includes(hook.signature))
        wrong.push(`hook ${id} (${hook.type} of ${hook.key}) to ${hook.path} has a wrong signature`);
    }
  }

  await withClient(databaseUrl, async (client) => {
    const ids = [...byId.keys()];
    for (let at = 0; at < ids.length; at += messagesAtOnce) {
      const { rows } = await client.query<SentMessage>(sentMessages, [ids.slice(at, at + messagesAtOnce)]);
      for (const row of rows) await check(row);
    }
  });
  return wrong;
}

interface SentMessage {
  id: string;
  tenantId: string;
  body: Buffer;
}

/** By tenant, as the key begins with it. */
const sentMessages = `
  select m.id::text, m.tenant_id::text as "tenantId", m.body
    from (select distinct tenant_id from webhooks.endpoints) t
    join webhooks.messages m on m.tenant_id = t.tenant_id and m.id = any($1::bigint[])`;

const signatureOf = (key: Buffer, { id, timestamp }: ReceivedHook, body: Buffer): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
