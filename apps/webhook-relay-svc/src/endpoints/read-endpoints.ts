import type { SecretBox } from '@canvass/auth';
import { notFound } from '@canvass/errors';
import type { Database, Queryable } from '@canvass/postgres';
import { pageOf, type Page, type PageQuery } from '@canvass/service-kit';
import {
  findEndpoint,
  findSecrets,
  pageOfEndpoints,
  type EndpointFilter,
  type EndpointPageRow,
  type EndpointRow,
  type EndpointState,
} from './endpoints.sql';
import { signingSecretContext } from './secrets';

/** An endpoint as the API shows it; never with a secret. */
export interface EndpointView {
  id: string;
  scope: 'tenant' | 'form';
  scopeId: string;
  url: string;
  state: EndpointState;
  events: string[];
  failingSince: Date | null;
  disabledAt: Date | null;
  disabledReason: string | null;
  removedAt: Date | null;
  /** It failed too often in a row: until then nothing is sent, and what is due waits. */
  pausedUntil: Date | null;
  /** Deliveries it is sent in any second, by all copies together; null: as many as there are. */
  maxPerSecond: number | null;
  createdAt: Date;
  modifiedAt: Date;
}

const viewOf = (row: EndpointRow): EndpointView => ({
  id: row.id,
  scope: row.scope,
  scopeId: row.scope_id,
  url: row.url,
  state: row.removed_at ? 'removed' : row.disabled_at ? 'disabled' : 'enabled',
  events: row.events,
  failingSince: row.failing_since,
  disabledAt: row.disabled_at,
  disabledReason: row.disabled_reason,
  removedAt: row.removed_at,
  pausedUntil: row.paused_until,
  maxPerSecond: row.max_per_second,
  createdAt: row.created_at,
  modifiedAt: row.modified_at,
});

export async function readEndpoints(
  db: Database,
  filter: EndpointFilter,
  paging: PageQuery,
): Promise<Page<EndpointView>> {
  const { page, pageSize } = paging;
  const rows = await db.run<EndpointPageRow>(pageOfEndpoints(filter, pageSize, (page - 1) * pageSize));
  const items = rows.flatMap((row) => (row.id === null ? [] : [viewOf(row)]));
  return pageOf(items, Number(rows[0]?.total ?? 0), paging);
}

/** @throws {Problem} not_found */
export async function readEndpoint(db: Queryable, tenantId: string, id: string): Promise<EndpointView> {
  const [row] = await db.query<EndpointRow>(findEndpoint, [tenantId, id]);
  if (!row) throw notFound('webhook endpoint', id);
  return viewOf(row);
}

export interface SecretView {
  endpointId: string;
  /** Signs what is sent now. */
  secret: string;
  /** Still accepted beside it while a secret rotates. */
  previous: { secret: string; expiresAt: Date | null }[];
}

/** The signing secret in clear. @throws {Problem} not_found */
export async function readSecret(
  db: Queryable,
  box: SecretBox,
  tenantId: string,
  endpointId: string,
): Promise<SecretView> {
  const rows = await db.query<{ sealed: string; expires_at: Date | null }>(findSecrets, [
    tenantId,
    endpointId,
  ]);
  const [newest, ...older] = rows.map(({ sealed, expires_at: expiresAt }) => ({
    secret: box.open(sealed, signingSecretContext({ tenantId, endpointId })),
    expiresAt,
  }));
  if (!newest) throw notFound('webhook endpoint', endpointId);
  return { endpointId, secret: newest.secret, previous: older };
}
