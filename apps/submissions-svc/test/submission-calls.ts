import { setTimeout as delay } from 'node:timers/promises';
import { client, type Reply, type Harness } from './harness';

/** A submission as a client reads it; every member that the specs look at by name is text. */
export type Submission = Record<string, string> & { isComplete: boolean; currentPage: number };

export const pathOf = (formId: string): string => `/api/forms/${formId}/submissions`;

export const byToken = (formId: string, token: string | undefined): string =>
  `${pathOf(formId)}/by-token/${token}`;

/** Runs `act` `count` times at the same moment. */
export const together = <T>(count: number, act: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)));

/**
 * Repeats a request that a slow machine answers with 503 (no database connection in time; nothing was done).
 */
export async function answered<T>(send: () => Promise<Reply<T>>): Promise<Reply<T>> {
  for (;;) {
    const reply = await send();
    if (reply.status !== 503) return reply;
    await delay(100);
  }
}

/** Stores answers that the API does not accept any more. Returns the id of their submission. */
export async function store(test: Harness, formId: string, jsonData: string): Promise<string> {
  const { id } = await submissionCalls(() => test).begin(formId);
  await test.db.query('update submissions set json_data = $2 where id = $1', [id, jsonData]);
  return id!;
}

/** Calls that specs of submissions make again and again. */
export const submissionCalls = (test: () => Harness) => {
  const anonymous = () => client(test().service.url);
  return {
    anonymous,
    begin: async (formId: string, body: object = {}) =>
      (await anonymous().post<Submission>(pathOf(formId), body)).body,
    /** Events of a submission in order: the word after `submission.`, and the revision. */
    eventsOf: async (id: string | undefined) =>
      (await test().events({ entityId: id! })).map(({ type, revision }) => [
        type.replace('submission.', ''),
        Number(revision),
      ]),
  };
};
