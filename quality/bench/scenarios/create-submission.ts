import path from 'node:path';
import { checkoutDir } from '@canvass/infra';
import type { Scenario } from '../bench';
import { compare, type Variant } from '../compare';
import { watchCpu } from '../cpu';
import type { BareApi } from '../processes/bare';
import type { LoadApi } from '../processes/load';
import { createForms } from '../stack-client';

const connections = 32;
/** The default of `Service:Database:PoolMax`. */
const poolMax = 10;
const body = JSON.stringify({ jsonData: JSON.stringify({ answers: 'x'.repeat(500) }) });
/** The service's own statement, read from its source: a copy would soon differ. */
const createSql = path.join(checkoutDir, 'apps/submissions-svc/src/submissions/create.sql.ts');

export const createSubmission: Scenario = {
  name: 'create-submission',
  title: 'Creating a submission',
  about:
    `Anonymous creates through the gateway, ${connections} kept connections, each sending its next request when it has its answer. ` +
    'Against it: a bare express handler that runs the same statement through a `pg` pool of the same size on the same database.',
  async run(bench) {
    const { gatewayUrl, services } = (await bench.stack()).file;
    const [formId] = await createForms(await bench.client(), [[]]);
    const [bare, load] = [await bench.child<BareApi>('bare'), await bench.child<LoadApi>('load')];
    const databaseUrl = await bench.databaseUrlOf('submissions-svc');
    const bareUrl = await bare.call('create', databaseUrl, poolMax, createSql);
    const paths = [`/api/forms/${formId}/submissions`];
    const variant = (name: string, origin: string): Variant => ({
      name,
      run: (seconds) =>
        load.call('closed', { origin, method: 'POST', paths, body, expect: 201 }, connections, seconds),
    });
    const cpu = await watchCpu(bench, variant('through the gateway', gatewayUrl), [
      ['gateway', services.gateway.pid!],
      ['submissions-svc', services['submissions-svc'].pid!],
    ]);
    const report = await compare(bench.options.seconds, {
      variants: [cpu.variant, variant('bare express', bareUrl)],
      ratios: [['through the gateway', 'bare express', 0.5]],
      warmedUp: () => bench.analyze(),
    });
    return { ...report, figures: [...report.figures, ...cpu.figures()] };
  },
};
