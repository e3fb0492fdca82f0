import type { Principal, ServiceTokens } from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import {
  jobAreas,
  jobKinds,
  jobsOf,
  kindsOf,
  type JobArea,
  type JobKind,
  type JobState,
  type JobView,
} from '@canvass/jobs';
import { originOf } from '@canvass/postgres';
import type { Actor, KeyPage, KeyQuery, Wire } from '@canvass/service-kit';
import type { AreaSettings } from '../audit';
import { mergePages, parametersOf, windowOfPart } from '../merged-pages';

/** A job with its area. */
export type AreaJob = Wire<JobView> & { area: JobArea };

export interface JobFilter {
  area: readonly JobArea[];
  kind?: JobKind | undefined;
  state?: JobState | undefined;
}

/** The facts that the audit trail of the service records of a change, and who continues a job. */
export interface JobCaller {
  actor: Actor;
  version?: number;
  address: string | null;
  requestId: string;
}

export interface JobsPage extends KeyPage<AreaJob> {
  /** Areas that did not answer: they may have more. */
  unavailable: JobArea[];
}

/** The jobs of the services that have some. */
export interface Jobs {
  /**
   * Lists those that the caller may see, newest first. Never rejects because of another service.
   *
   * @throws {Problem} `validation_failed` for an invalid cursor
   */
  list(caller: Principal, filter: JobFilter, window: KeyQuery): Promise<JobsPage>;
  /** @throws {Problem} `not_found`, also without the permission to see it; `service_unavailable` */
  read(caller: Principal, id: string): Promise<AreaJob>;
  /** @throws {Problem} `not_found`, `service_unavailable`, `conflict` for a job that cannot be taken over */
  change(
    job: AreaJob,
    verb: 'cancel' | 'take-over',
    caller: JobCaller & { tenantId: string },
  ): Promise<AreaJob>;
  /** Removes texts of an erased respondent from the jobs of all areas. @throws {Error} until all did so */
  eraseTexts(tenantId: string, texts: readonly string[]): Promise<void>;
}

const noJobs: KeyPage<AreaJob> = { items: [], next: null, previous: null, total: 0, totalIsExact: false };

interface OfArea {
  tenantId: string;
  kinds: readonly JobKind[];
  state: JobState | null;
}

/** A person waits: an area that takes longer is left out. */
const timeoutMs = 6_000;

/** Asks the services at their internal listeners. The ids of all services are in one order of time. */
export function createJobs(
  { Forms, WebHooks }: AreaSettings,
  {
    tokens,
    onFailure,
  }: { tokens: Pick<ServiceTokens, 'sign'>; onFailure(area: JobArea, error: unknown): void },
): Jobs {
  const urls: Record<JobArea, string | undefined> = { forms: Forms, webhooks: WebHooks };

  async function ask(area: JobArea, path: string, body?: object): Promise<Response> {
    if (urls[area] === undefined) throw new Error('The address of the service is not configured.');
    return fetch(new URL(path, urls[area]), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${tokens.sign('identity-svc')}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
  }

  async function listOf(
    area: JobArea,
    { tenantId, kinds, state }: OfArea,
    window: KeyQuery,
  ): Promise<KeyPage<AreaJob>> {
    const parameters = new URLSearchParams({ tenantId, ...(state && { state }), ...parametersOf(window) });
    for (const kind of kinds) parameters.append('kinds', kind);
    const response = await ask(area, `/internal/jobs?${parameters}`);
    if (response.status !== 200) throw new Error(`The service answered ${response.status}.`);
    const page = (await response.json()) as KeyPage<Wire<JobView>>;
    return { ...page, items: page.items.map((job) => ({ ...job, area })) };
  }

  /** Asks for a single job, whose service must answer. */
  async function one(area: JobArea, id: string, path: string, body?: object): Promise<AreaJob> {
    const response = await ask(area, path, body).catch((cause: unknown) => {
      throw unavailable(area, cause);
    });
    if (response.status === 404) throw notFound('job', id);
    if (response.status === 409) {
      const { detail } = (await response.json()) as { detail: string };
      throw new Problem('conflict', { detail });
    }
    if (response.status !== 200)
      throw unavailable(area, new Error(`The service answered ${response.status}.`));
    return { ...((await response.json()) as Wire<JobView>), area };
  }

  return {
    async list({ tenantId, permissions }, { area: areas, kind, state = null }, window) {
      const list = { text: 'jobs', values: [tenantId, areas, kind, state] };
      const unavailable: JobArea[] = [];
      const parts = await Promise.all(
        areas.map(async (area) => {
          const kinds = kindsOf(area).filter(
            (each) => permissions.has(jobKinds[each].view) && (kind === undefined || kind === each),
          );
          const filter = { tenantId, kinds, state };
          const part = windowOfPart(list, jobsOf(filter), window);
          if (kinds.length === 0) return { ...noJobs, totalIsExact: true };
          try {
            return await listOf(area, filter, part);
          } catch (error) {
            onFailure(area, error);
            unavailable.push(area);
            return noJobs;
          }
        }),
      );
      return { ...mergePages(list, window, parts), unavailable: unavailable.sort() };
    },
    async read({ tenantId, permissions }, id) {
      const area = areaOf(id);
      if (area === undefined) throw notFound('job', id);
      const job = await one(area, id, `/internal/jobs/${id}?${new URLSearchParams({ tenantId })}`);
      const rules = rulesOf(job.kind);
      if (rules === undefined || !permissions.has(rules.view)) throw notFound('job', id);
      return job;
    },
    async eraseTexts(tenantId, texts) {
      for (const area of Object.keys(jobAreas) as JobArea[]) {
        if (urls[area] === undefined) continue;
        const { status } = await ask(area, '/internal/jobs/erased-texts', { tenantId, texts });
        if (status !== 204) throw unavailable(area, new Error(`The service answered ${status}.`));
      }
    },
    change: ({ area, id }, verb, caller) => one(area, id, `/internal/jobs/${id}/${verb}`, caller),
  };
}

const areaOf = (id: string): JobArea | undefined =>
  (Object.keys(jobAreas) as JobArea[]).find((area) => jobAreas[area].origin === originOf(id));

/** Undefined for a kind of a newer version of a service. */
export const rulesOf = (kind: string) =>
  Object.hasOwn(jobKinds, kind) ? jobKinds[kind as JobKind] : undefined;

const unavailable = (area: JobArea, cause: unknown) =>
  new Problem('service_unavailable', {
    detail: `The jobs of the area ${area} cannot be reached. Try again.`,
    headers: { 'Retry-After': '5' },
    cause,
  });
