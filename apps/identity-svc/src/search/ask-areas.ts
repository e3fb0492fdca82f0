import type { Permission, Principal, ServiceTokens } from '@canvass/auth';
import type { Transactor } from '@canvass/postgres';
import { findIn, maxFound, type Found, type FoundKind, type SearchRequest } from '@canvass/search';
import type { AreaSettings } from '../audit';
import { searchSources } from './search.sql';

/** Parts of the search, one per service. */
export const searchAreas = ['forms', 'data-lists', 'webhooks', 'identity'] as const;
type SearchArea = (typeof searchAreas)[number];

/** The kinds that each area has, and the permission that shows it. */
const kindsOf: Record<SearchArea, Partial<Record<FoundKind, Permission>>> = {
  forms: { form: 'Forms.View', submission: 'Submissions.View', submitter: 'Submissions.View' },
  'data-lists': { dataList: 'DataLists.View' },
  webhooks: { webhookEndpoint: 'WebHooks.View', delivery: 'WebHooks.View', message: 'WebHooks.View' },
  identity: { user: 'Users.Manage', serviceAccount: 'Users.Manage' },
};

export interface SearchResult {
  items: Found[];
  /** Areas that did not answer: they may have more. */
  unavailable: SearchArea[];
}

/** Finds what a caller may see with this id or name. Never rejects because of another service. */
export type AskAreas = (
  principal: Principal,
  asked: Pick<SearchRequest, 'text' | 'id'>,
) => Promise<SearchResult>;

/** A person waits: an area that takes longer is left out. A service itself ends a search after 5 s. */
const timeoutMs = 6_000;

/** The own area is in the database; the others are asked at the internal listeners of their services. */
export function createAskAreas(
  db: Transactor,
  { Forms, DataLists, WebHooks }: AreaSettings,
  {
    tokens,
    onFailure,
  }: { tokens: Pick<ServiceTokens, 'sign'>; onFailure(area: SearchArea, error: unknown): void },
): AskAreas {
  const urls: Record<Exclude<SearchArea, 'identity'>, string | undefined> = {
    forms: Forms,
    'data-lists': DataLists,
    webhooks: WebHooks,
  };
  return async ({ tenantId, permissions, formIds }, { text, id }) => {
    const asked = { tenantId, text, id, formIds: formIds === undefined ? null : [...formIds] };
    const areas = searchAreas.map(async (area): Promise<Found[] | null> => {
      const kinds = Object.entries(kindsOf[area]).flatMap(([kind, needed]) =>
        permissions.has(needed) ? [kind as FoundKind] : [],
      );
      if (kinds.length === 0) return [];
      try {
        return area === 'identity'
          ? await findIn(db, searchSources, kinds, { ...asked, limit: maxFound })
          : await fetchFound(urls[area], kinds, asked, tokens);
      } catch (error) {
        onFailure(area, error);
        return null;
      }
    });
    const found = await Promise.all(areas);
    return {
      items: found.flatMap((items) => items ?? []),
      unavailable: searchAreas.filter((_, n) => found[n] === null),
    };
  };
}

async function fetchFound(
  baseUrl: string | undefined,
  kinds: readonly FoundKind[],
  { tenantId, text, id, formIds }: Omit<SearchRequest, 'limit'>,
  tokens: Pick<ServiceTokens, 'sign'>,
): Promise<Found[]> {
  if (baseUrl === undefined) throw new Error('The address of the service is not configured.');
  const query = new URLSearchParams({ tenantId, text, ...(id !== null && { id }) });
  for (const kind of kinds) query.append('kinds', kind);
  for (const formId of formIds ?? []) query.append('formIds', formId);
  const response = await fetch(new URL(`/internal/search?${query}`, baseUrl), {
    headers: { authorization: `Bearer ${tokens.sign('identity-svc')}` },
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  });
  if (response.status !== 200) throw new Error(`The service answered ${response.status}.`);
  return ((await response.json()) as { items: Found[] }).items;
}
