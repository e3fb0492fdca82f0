import type { Scenario } from '../bench';
import { compare, type Variant } from '../compare';
import { watchCpu } from '../cpu';
import type { BareApi } from '../processes/bare';
import { createSql } from '../processes/create-values';
import type { LoadApi } from '../processes/load';
import { analyze, createForms } from '../setup';

const connections = 32;
/** The default of `Service:Database:PoolMax`. */
const poolMax = 10;
const body = JSON.stringify({ jsonData: JSON.stringify({ answers: 'x'.repeat(500) }) });

export const createSubmission: Scenario = {
  name: 'create-submission',
  title: 'Creating a submission',
  about:
    `Anonymous creates, ${connections} kept connections, each sending its next request when it has its answer. One statement writes the ` +
    'submission and its outbox row and is committed to disk before the answer. Against it: a bare express handler that runs the same ' +
    'statement through a `pg` pool of the same size on the same database.',
  async run(bench) {
    const { gatewayUrl, services } = (await bench.stack()).file;
    const [formId] = await createForms(await bench.client(), [[]]);
    const bare = await bench.child<BareApi>('bare');
    const databaseUrl = await bench.databaseUrlOf('submissions-svc');
    const bareUrl = await bare.call('create', databaseUrl, poolMax, createSql);
    const load = await bench.child<LoadApi>('load');
    const paths = [`/api/forms/${formId}/submissions`];
    const variant = (name: string, about: string, origin: string): Variant => ({
      name,
      about,
      unit: 'requests',
      run: (seconds) =>
        load.call('closed', { origin, method: 'POST', paths, body, expect: 201 }, connections, seconds),
    });
    const processes = [
      ['gateway', services.gateway.pid!],
      ['submissions-svc', services['submissions-svc'].pid!],
      ['bare', bare.pid],
      ['load', load.pid],
    ] as const;
    const cpu = await watchCpu(bench, 'create', processes, [
      variant('through the gateway', 'gateway and submissions-svc', gatewayUrl),
      variant('service direct', 'submissions-svc', services['submissions-svc'].url),
      variant('bare express', 'express, pg, the same statement', bareUrl),
    ]);
    const report = await compare(bench.options.seconds, {
      variants: cpu.variants,
      ratios: [
        { of: 'through the gateway', to: 'bare express', by: 'rate', atLeast: 0.5 },
        { of: 'service direct', to: 'bare express', by: 'rate' },
        { of: 'through the gateway', to: 'service direct', by: 'rate' },
      ],
      warmedUp: () => analyze(bench),
    });
    return { ...report, notes: [...report.notes, ...cpu.notes()] };
  },
};
