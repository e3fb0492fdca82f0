import path from 'node:path';
import { checkoutDir } from '@canvass/infra';
import { gatewayClient, makeForms } from '../forms';
import { pgbench, whyNoPgbench } from '../pgbench';
import type { BareCreateApi } from '../processes/bare-create';
import type { LoadApi } from '../processes/load';
import type { Contestant, Scenario } from '../scenario';

/** The service's own statement, read from its source: a copy would soon be another. */
const createSql = path.join(checkoutDir, 'apps/submissions-svc/src/submissions/create.sql.ts');
const connections = 32;
/** As `Service:Database:PoolMax` by default. */
const poolMax = 10;
const jsonData = JSON.stringify({ answers: 'x'.repeat(500) });

export const createSubmission: Scenario = {
  name: 'create-submission',
  title: 'Creating a submission',
  about:
    `Anonymous creates, ${connections} kept connections, each sending its next request when it has its answer. One statement writes the submission and its outbox row and is committed to disk ` +
    'before the answer. Against it: a bare express handler that runs the same statement through a `pg` pool of the same size on the same database; and the statement from pgbench, without HTTP.',
  async prepare(run) {
    const stack = await run.stack();
    const { gatewayUrl, services } = stack.file;
    const [formId] = await makeForms(await gatewayClient(stack.file), 1, []);
    const databaseUrl = await run.databaseUrlOf('submissions-svc');
    const bare = await run.child<BareCreateApi>('bare-create');
    const bareUrl = await bare.call('listen', databaseUrl, poolMax, createSql);
    const load = await run.child<LoadApi>('load');
    const [gateway, service] = [
      await run.watchedService('gateway'),
      await run.watchedService('submissions-svc'),
    ];
    const { postgres, rabbitmq } = await run.watchedServers();
    const loader = { name: 'load generator', pid: load.pid };

    const contestant = (
      name: string,
      about: string,
      origin: string,
      watched: Contestant['watched'],
    ): Contestant => ({
      name,
      about,
      unit: 'requests',
      watched,
      run: (seconds) =>
        load.call(
          'closed',
          {
            origin,
            method: 'POST',
            paths: [`/api/forms/${formId}/submissions`],
            body: JSON.stringify({ jsonData }),
            expect: 201,
          },
          connections,
          seconds,
        ),
    });
    const contestants = [
      contestant('through the gateway', 'gateway and submissions-svc', gatewayUrl, () => [
        gateway,
        service,
        postgres,
        rabbitmq,
        loader,
      ]),
      contestant('service direct', 'submissions-svc', services['submissions-svc'].url, () => [
        service,
        postgres,
        rabbitmq,
        loader,
      ]),
      contestant('bare express', 'express, pg, the same statement', bareUrl, () => [
        { name: 'bare handler', pid: bare.pid },
        postgres,
        rabbitmq,
        loader,
      ]),
    ];
    const missing = whyNoPgbench();
    if (missing === null) {
      const create = await createWithExpressions(formId!);
      contestants.push({
        name: 'pgbench',
        about: `pgbench, ${poolMax} clients, the same statement prepared`,
        unit: 'statements',
        watched: () => [postgres, rabbitmq],
        run: (seconds) =>
          pgbench({
            databaseUrl,
            ...create,
            clients: poolMax,
            seconds,
          }),
      });
    }
    return {
      contestants,
      comparisons: [
        { of: 'through the gateway', to: 'bare express', by: 'rate', target: { atLeast: 0.5 } },
        { of: 'service direct', to: 'bare express', by: 'rate' },
        { of: 'through the gateway', to: 'service direct', by: 'rate' },
        ...(missing === null ? [{ of: 'through the gateway', to: 'pgbench', by: 'rate' as const }] : []),
      ],
      notes: missing === null ? [] : [missing],
      warmedUp: () => run.analyze(),
      end: () => Promise.resolve(),
    };
  },
};

/** SQL expressions in place of the values of a create. */
async function createWithExpressions(formId: string): Promise<{ sql: string; parameters: string[] }> {
  const { createAnonymous } = (await import(createSql)) as {
    createAnonymous: (values: Record<string, string>) => { text: string; values: string[] };
  };
  const { text, values } = createAnonymous({
    formId,
    tenantId: 'null::bigint',
    mayAnswerPrivate: 'false',
    mayTest: 'false',
    isComplete: 'false',
    collectionStatus: `'in_progress'`,
    currentPage: '0',
    jsonData: `'${jsonData}'`,
    metadata: `'{}'`,
    tokenHash: 'sha256(:random::text::bytea)',
    traceparent: 'null',
  });
  return { sql: text, parameters: values };
}
