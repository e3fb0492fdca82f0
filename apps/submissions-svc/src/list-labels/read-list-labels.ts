import type { ServiceTokens } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import { request } from 'undici';
import type { DataListSettings } from './settings';

/** The labels of a value of a data list, as datalists-svc has them. */
export interface LabelsOfValue {
  /** Null: the list has no such value now. */
  current: string | null;
  /** Since when it had which label, the oldest first. */
  history: readonly { from: string; text: string | null }[];
}

/** Labels by value by the id of the list. A list that does not exist is left out. */
export type ListLabels = ReadonlyMap<string, ReadonlyMap<string, LabelsOfValue>>;

/** @throws {Problem} `service_unavailable` if datalists-svc does not answer */
export type ReadListLabels = (asked: {
  tenantId: string;
  /** Empty for the default one of each list. */
  locale: string;
  lists: ReadonlyMap<string, ReadonlySet<string>>;
}) => Promise<ListLabels>;

/** A person waits. */
const timeoutMs = 5_000;

/** Values of one request, of all lists. */
const maxValues = 2_000;

interface Answer {
  lists: { id: string; values: (LabelsOfValue & { value: string })[] }[];
}

/** Asks datalists-svc at its internal listener: once, or once for each 2,000 values. */
export function createReadListLabels(
  { BaseUrl }: DataListSettings,
  token: () => ReturnType<ServiceTokens['sign']>,
): ReadListLabels {
  return async ({ tenantId, locale, lists }) => {
    const labels = new Map<string, Map<string, LabelsOfValue>>();
    for (const part of partsOf(lists)) {
      const { lists: found } = await ask({ tenantId, locale, lists: part });
      for (const { id, values } of found) {
        const ofList = labels.get(id) ?? new Map<string, LabelsOfValue>();
        for (const { value, ...its } of values) ofList.set(value, its);
        labels.set(id, ofList);
      }
    }
    return labels;
  };

  async function ask(body: object): Promise<Answer> {
    try {
      if (BaseUrl === undefined) throw new Error('Service:DataLists:BaseUrl is not configured.');
      // Not fetch, whose streams take a millisecond, and a respondent waits.
      const response = await request(new URL('/internal/list-labels', BaseUrl), {
        method: 'POST',
        headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.statusCode !== 200) {
        await response.body.dump();
        throw new Error(`datalists-svc answered ${response.statusCode}.`);
      }
      return (await response.body.json()) as Answer;
    } catch (cause) {
      const detail = 'The labels of data lists are not available.';
      throw new Problem('service_unavailable', { detail, cause, headers: { 'Retry-After': '5' } });
    }
  }
}

type ListPart = { id: string; values: string[] }[];

function partsOf(lists: ReadonlyMap<string, ReadonlySet<string>>): ListPart[] {
  const parts: ListPart[] = [];
  let room = 0;
  for (const [id, values] of lists)
    for (const value of values) {
      if (room === 0) {
        parts.push([]);
        room = maxValues;
      }
      const part = parts.at(-1)!;
      if (part.at(-1)?.id !== id) part.push({ id, values: [] });
      part.at(-1)!.values.push(value);
      room--;
    }
  return parts;
}
