import { eventually } from '@canvass/testing';
import type { Harness, TestClient, Tenant } from './harness';
import { pathOf } from './submission-calls';

/** A long job as a client reads it. */
export interface Job {
  id: string;
  kind: string;
  state: string;
  total: number;
  done: number;
  counts: Record<string, number>;
  error: string | null;
  reason: string | null;
  startedBy: { subject: string } | null;
}

export const jobsPath = '/api/submissions/jobs';

/** Waits until a job has ended. */
export const endedJob = (client: TestClient, id: string): Promise<Job> =>
  eventually(
    async () => {
      const { status, body } = await client.get<Job>(`${jobsPath}/${id}`);
      expect([status, body.state]).toEqual([200, expect.not.stringMatching('running')]);
      return body;
    },
    { timeoutMs: 120_000 },
  );

/** Complete submissions with one answer `n`, which the database makes. */
export const fillForm = (test: Harness, tenant: Tenant, formId: string, rows: number) =>
  test.db.query(
    `insert into submissions (tenant_id, form_id, is_complete, completed_at, completed_revision, is_test_submission,
       current_page, json_data, metadata, collection_status)
     select $1, $2, true, now(), 1, false, 0, '{"n":' || n || '}', '{}', 'complete' from generate_series(1, $3::int) n`,
    [tenant.id, formId, rows],
  );

export const bulkOf = (formId: string): string => `${pathOf(formId)}/bulk`;

/** A bulk change without the submissions that it takes. */
export const approve = { action: 'status', status: 'approved' };

interface Recorded {
  action: string;
  object_id: string;
  actor_subject: string;
  address: string;
  request_id: string;
  after: object | null;
}

export const bulkCalls = (test: () => Harness) => ({
  async started(tenant: Tenant, formId: string, body: object): Promise<Job> {
    const reply = await tenant.admin.post<Job>(bulkOf(formId), body);
    expect([reply.status, reply.headers.get('location')]).toEqual([202, `${jobsPath}/${reply.body.id}`]);
    return reply.body;
  },
  /** The audit trail of a tenant about objects of a type. */
  auditOf: (tenant: Tenant, objectType = 'submission') =>
    test().db.query<Recorded>(
      `select action, object_id, actor_subject, address, request_id, after from audit
       where tenant_id = $1 and object_type = $2 order by id`,
      [tenant.id, objectType],
    ),
});
