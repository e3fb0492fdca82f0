import { actionsOf, readActions, type AuditFilter, type AuditView } from '@canvass/audit';
import type { ServiceTokens } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import type { Transactor } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import { mergePages, parametersOf, windowOfPart } from '../merged-pages';

/** Parts of the audit trail, one per service. */
export const areas = ['forms', 'data-lists', 'identity', 'webhooks'] as const;
export type Area = (typeof areas)[number];

/** `Service:Audit:Areas`: internal base URLs of the other services. */
export interface AreaSettings {
  Forms?: string;
  DataLists?: string;
  WebHooks?: string;
}

/** A recorded action with its area. */
export type AreaAction = AuditView & { area: Area };

/**
 * Reads a page of the recorded actions of one area.
 *
 * @throws {Problem} `query_too_broad`; 503 that names the area
 */
export type ReadArea = (area: Area, filter: AuditFilter, window: KeyQuery) => Promise<KeyPage<AreaAction>>;

const timeoutMs = 15_000;

/** The own area is in the database; the others are read from the internal listeners of their services. */
export function createAreas(
  db: Transactor,
  { Forms, DataLists, WebHooks }: AreaSettings,
  tokens: Pick<ServiceTokens, 'sign'>,
): ReadArea {
  const urls: Record<Exclude<Area, 'identity'>, string | undefined> = {
    forms: Forms,
    'data-lists': DataLists,
    webhooks: WebHooks,
  };
  return async (area, filter, window) => {
    const page =
      area === 'identity'
        ? await readActions(db, filter, window)
        : await fetchActions(urls[area], filter, window, tokens).catch((cause) => {
            throw cause instanceof Problem ? cause : unavailable(area, cause);
          });
    return { ...page, items: page.items.map((action) => ({ ...action, area })) };
  };
}

async function fetchActions(
  baseUrl: string | undefined,
  { from, to, ...filter }: AuditFilter,
  window: KeyQuery,
  tokens: Pick<ServiceTokens, 'sign'>,
): Promise<KeyPage<AuditView>> {
  if (baseUrl === undefined) throw new Error('The address of the service is not configured.');
  const query = new URLSearchParams({
    ...filter,
    ...parametersOf(window),
    ...(from && { from: from.toISOString() }),
    ...(to && { to: to.toISOString() }),
  });
  const response = await fetch(new URL(`/internal/audit?${query}`, baseUrl), {
    // Within a network, compression takes more time than it saves.
    headers: { authorization: `Bearer ${tokens.sign('identity-svc')}`, 'accept-encoding': 'identity' },
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  });
  if (response.status === 200) return (await response.json()) as KeyPage<AuditView>;
  const { errorCode, detail } = (await response.json().catch(() => ({}))) as Record<string, string>;
  if (errorCode === 'query_too_broad') throw new Problem(errorCode, { detail: detail! });
  throw new Error(`The service answered ${response.status}.`);
}

const unavailable = (area: Area, cause: unknown) =>
  new Problem('service_unavailable', {
    detail: `The audit trail of the area ${area} cannot be read. Try again, or ask for other areas with the parameter area.`,
    headers: { 'Retry-After': '5' },
    cause,
  });

/**
 * A page of the actions of several areas, newest first. If an area cannot be read there is no result, because
 * it would look complete.
 *
 * @throws {Problem} `validation_failed` for an invalid cursor, `query_too_broad`; 503 that names the area
 */
export async function readAreas(
  read: ReadArea,
  asked: readonly Area[],
  filter: AuditFilter,
  window: KeyQuery,
): Promise<KeyPage<AreaAction>> {
  const list = { text: 'audit', values: [filter, asked] };
  const part = windowOfPart(list, actionsOf(filter), window);
  return mergePages(list, window, await Promise.all(asked.map((area) => read(area, filter, part))));
}
