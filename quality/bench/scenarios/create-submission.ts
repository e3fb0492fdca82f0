import type { Scenario } from '../bench';
import { compare } from '../compare';
import { watchCpu } from '../cpu';
import type { LoadApi } from '../processes/load';
import { createForms } from '../stack-client';

const connections = 32;
const body = JSON.stringify({ jsonData: JSON.stringify({ answers: 'x'.repeat(500) }) });

export const createSubmission: Scenario = {
  name: 'create-submission',
  title: 'Creating a submission',
  about: `Anonymous creates through the gateway, ${connections} kept connections, each sending its next request when it has its answer.`,
  async run(bench) {
    const { gatewayUrl, services } = (await bench.stack()).file;
    const [formId] = await createForms(await bench.client(), [[]]);
    const load = await bench.child<LoadApi>('load');
    const paths = [`/api/forms/${formId}/submissions`];
    const request = { origin: gatewayUrl, method: 'POST' as const, paths, body, expect: 201 };
    const run = (seconds: number) => load.call('closed', request, connections, seconds);
    const cpu = await watchCpu(bench, { name: 'through the gateway', run }, [
      ['gateway', services.gateway.pid!],
      ['submissions-svc', services['submissions-svc'].pid!],
    ]);
    const report = await compare(bench.options.seconds, {
      variants: [cpu.variant],
      warmedUp: () => bench.analyze(),
    });
    return { ...report, figures: [...report.figures, ...cpu.figures()] };
  },
};
