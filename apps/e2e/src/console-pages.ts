import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Callers } from './client';
import { walkedTenant } from './walked-tenant';

/** A page of the console, with the ids of records that exist. */
export interface ConsolePage {
  /** The pattern as the console defines it. */
  pattern: string;
  path: string;
}

/**
 * All pages of the console but those before the sign-in, each with records of a tenant that has one of
 * each.
 */
export async function consolePages(callers: Callers): Promise<ConsolePage[]> {
  const { fill, marker } = await walkedTenant(callers);
  const { admin } = callers;
  const listPath = fill('/api/data-lists/:id')!;
  const file = await admin.call<{ id: string }>(
    'POST',
    `${listPath}/imports`,
    { items: [{ value: marker, labels: { default: `${marker} 2` } }] },
    { 'if-match': (await admin.call('GET', listPath)).headers.get('etag') ?? '' },
  );
  const recovery = await admin.post<{ id: string }>('/api/webhooks/recoveries', {
    mode: 'all',
    filter: { endpointId: fill('/endpoints/:id')!.split('/').at(-1) },
  });
  const ids: Record<string, string> = {
    ':importId': file.body.id,
    ':recoveryId': recovery.id,
    ':jobId': fill('/exports/:id')!.split('/').at(-1)!,
    ':listId': listPath.split('/').at(-1)!,
    ':deliveryId': fill('/deliveries/:id')!.split('/').at(-1)!,
    ':endpointId': fill('/endpoints/:id')!.split('/').at(-1)!,
  };
  return patterns().map((pattern) => {
    const known = pattern.replaceAll(/:[a-zA-Z]+/g, (name) => ids[name] ?? name);
    return { pattern, path: fill(known)! };
  });
}

/** The patterns of the pages, as the console defines them: a new page is one of the walked ones at once. */
function patterns(): string[] {
  const file = path.join(__dirname, '../../console/src/signed-in/pages.ts');
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/\b(?:listed|inner)\(\s*'([^']+)'/g)].map(([, pattern]) => pattern!);
}
