import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, eventually, login, type Api } from '@canvass/testing';
import type { Balancer } from './balancer';
import { Follower } from './follower';
import type { Operation } from './steady-load';

/** Within this time every service refuses a revoked token (docs/security.md), in milliseconds. */
const revokedMs = 5_000;
const arrivalMs = 60_000;
const password = 'a password of 1 colleague, who leaves';

interface Login {
  adminEmail: string;
  adminPassword: string;
}

interface Tenant {
  admin: Api;
  formId: string;
  token: string;
}

interface Target {
  gatewayUrl: string;
  demo: Login & { tenantId: string; otherTenant: Login };
}

/**
 * Clients that follow live events while processes are restarted: one of each of two tenants, one that forgets
 * where it was, and one whose permissions are taken away. Afterwards what they got is compared with what the API
 * has.
 */
export class LiveEvents {
  private readonly followers: Record<'own' | 'other' | 'forgetful' | 'leaving', Follower>;
  private eventsWhenLeft = -1;
  private readonly forbidden: Follower[] = [];

  private constructor(
    private readonly balancer: Balancer,
    private readonly target: Target,
    private readonly own: Tenant,
    private readonly other: Tenant,
    private readonly colleague: { id: string; email: string },
    colleagueToken: string,
  ) {
    const { origin } = balancer;
    this.followers = {
      own: new Follower({ origin, token: own.token }),
      other: new Follower({ origin, token: other.token }),
      forgetful: new Follower({ origin, token: own.token, isForgetful: true }),
      leaving: new Follower({ origin, token: colleagueToken }),
    };
  }

  static async create(balancer: Balancer, target: Target): Promise<LiveEvents> {
    const { gatewayUrl, demo } = target;
    const tenant = async ({ adminEmail, adminPassword }: Login): Promise<Tenant> => {
      const token = await login(gatewayUrl, adminEmail, adminPassword);
      const admin = balancer.client(token);
      const form = await dataOf(admin.POST('/api/forms', { body: { name: 'Live', isEnabled: true } }));
      return { admin, formId: form.id, token };
    };
    const [own, other] = [await tenant(demo), await tenant(demo.otherTenant)];
    const email = 'leaving@rolling.example';
    const user = { email, password, roles: ['Admin' as const], isEnabled: true };
    const { id } = await dataOf(own.admin.POST('/api/users', { body: user }));
    const token = await login(gatewayUrl, email, password, demo.tenantId);
    return new LiveEvents(balancer, target, own, other, { id, email }, token);
  }

  /** Writes of both tenants, of which the followers have to learn. */
  operations(): Operation[] {
    const anonymous = this.balancer.client();
    const operation = (name: string, expected: number, send: Operation['send']) => ({ name, expected, send });
    return [this.own, this.other].flatMap(({ admin, formId }, n) => {
      const path = { params: { path: { formId } } };
      return [
        operation(`create in tenant ${n + 1}`, 201, () =>
          anonymous.POST('/api/forms/{formId}/submissions', { ...path, body: { isComplete: true } }),
        ),
        operation(`change the form of tenant ${n + 1}`, 200, () =>
          admin.PATCH('/api/forms/{formId}', { ...path, body: { description: `${Math.random()}` } }),
        ),
      ];
    });
  }

  async start(): Promise<void> {
    await Promise.all(Object.values(this.followers).map((follower) => follower.start()));
  }

  /** Takes all permissions that the stream needs from the colleague. */
  async takePermission(): Promise<void> {
    const { admin } = this.own;
    const params = { path: { id: this.colleague.id } };
    await dataOf(admin.PATCH('/api/users/{id}', { params, body: { roles: ['Respondent'] } }));
    await sleep(revokedMs);
    this.eventsWhenLeft = this.followers.leaving.events.length;
    const { gatewayUrl, demo } = this.target;
    const token = await login(gatewayUrl, this.colleague.email, password, demo.tenantId);
    const again = new Follower({ origin: this.balancer.origin, token });
    this.forbidden.push(again);
    await again.start();
  }

  /** Waits for the last events, prints what was found, and returns whether nothing was missed or too much. */
  async verify(sawRestarts: boolean): Promise<boolean> {
    const { own, other, forgetful, leaving } = this.followers;
    const pairs = [
      ['tenant 1', own, this.own],
      ['tenant 2', other, this.other],
    ] as const;
    let holds = true;
    for (const [name, follower, tenant] of pairs) {
      const record = await recordOf(tenant);
      const missing = () => missingIn(follower, record, tenant.formId);
      await eventually(() => missing().length === 0, { timeoutMs: arrivalMs }).catch(() => undefined);
      const foreign = foreignIn(follower, tenant === this.own ? this.other : this.own);
      const resets = follower.events.filter(({ event }) => event === 'reset').length;
      console.log(
        `live events of ${name}: ${record.submissions.length} submissions and ${record.revision} revisions of a form; ` +
          `${missing().length} missed, ${foreign} of the other tenant, ${follower.connections} connections, ${resets} resets`,
      );
      for (const each of missing().slice(0, 5)) console.log(`    MISSED: ${each}`);
      holds &&= missing().length === 0 && foreign === 0 && resets === 0 && record.submissions.length > 0;
    }
    const after = leaving.events.length - this.eventsWhenLeft;
    const forbidden = this.forbidden.flatMap(({ events }) => events).filter(({ event }) => event !== 'ready');
    const refused = leaving.refusals.filter((status) => status === 401).length;
    console.log(
      `a user without permissions any more: ${this.eventsWhenLeft} events before, ${after} after ${revokedMs / 1000} s, ` +
        `${forbidden.length} after a new sign-in; refused ${refused} times`,
    );
    holds &&= this.eventsWhenLeft > 1 && after === 0 && forbidden.length === 0 && refused > 0;
    if (sawRestarts) {
      const missed = missingIn(forgetful, await recordOf(this.own), this.own.formId).length;
      console.log(`control: a client that does not resume missed ${missed} events (wanted: some)`);
      holds &&= missed > 0;
    }
    return holds;
  }

  async stop(): Promise<void> {
    await Promise.all([...Object.values(this.followers), ...this.forbidden].map((each) => each.stop()));
  }
}

/** What the API has of a form. */
interface Recorded {
  /** Ids of all submissions. */
  submissions: string[];
  revision: number;
}

async function recordOf({ admin, formId }: Tenant): Promise<Recorded> {
  const submissions: string[] = [];
  for (let after: string | undefined; ;) {
    const query = { limit: 200, ...(after === undefined ? {} : { after }) };
    const page = (await dataOf(
      admin.GET('/api/forms/{formId}/submissions', { params: { path: { formId }, query } }),
    )) as { items: { id: string }[]; next: string | null };
    submissions.push(...page.items.map(({ id }) => id));
    if (page.next === null) break;
    after = page.next;
  }
  const form = await dataOf(admin.GET('/api/forms/{formId}', { params: { path: { formId } } }));
  return { submissions, revision: Number(form.revision) };
}

/** What the API has and the client got no event of: submissions, and revisions of the form after the first. */
function missingIn(follower: Follower, { submissions, revision }: Recorded, formId: string): string[] {
  const completed = follower.seen('submission.completed', 'id');
  const changes = follower.events.filter(
    ({ data }) => data['type'] === 'form.updated' && data['id'] === formId,
  );
  const revisions = new Set(changes.map(({ data }) => Number(data['revision'])));
  return [
    ...submissions.filter((id) => !completed.has(id)).map((id) => `submission ${id}`),
    ...Array.from({ length: revision - 1 }, (_, n) => n + 2)
      .filter((each) => !revisions.has(each))
      .map((each) => `revision ${each} of the form`),
  ];
}

/** Events about the form of another tenant. */
const foreignIn = (follower: Follower, { formId }: Tenant): number =>
  follower.events.filter(({ data }) => data['formId'] === formId || data['id'] === formId).length;
