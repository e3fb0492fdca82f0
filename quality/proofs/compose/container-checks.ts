import type { Engine } from '@canvass/engine';
import type { ComposeProject } from './compose-project';

const services = ['gateway', 'identity-svc', 'submissions-svc', 'datalists-svc', 'webhook-relay-svc'];

interface Inspected {
  Config: { User: string };
  HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[]; Memory: number; PidsLimit: number };
}

/**
 * What containers may do, as the kernel sees it: no root, nothing written, limits of memory and processes, and
 * no way from the gateway to PostgreSQL.
 *
 * @returns one sentence for each fault
 */
export async function faultsOfContainers(engine: Engine, project: ComposeProject): Promise<string[]> {
  const faults: string[] = [];
  for (const service of services) {
    const [id = ''] = await project.containersOf(service);
    const inside = (...command: string[]) => engine.docker('exec', id, ...command);
    const [{ Config, HostConfig }] = JSON.parse(await engine.docker('inspect', id)) as [Inspected];
    const user = await inside('id', '-u');
    const expected = {
      'is configured to run as 1000:1000': Config.User === '1000:1000',
      'runs as user 1000': user === '1000',
      'is read-only': HostConfig.ReadonlyRootfs && (await fails(inside('touch', '/app/written'))),
      'can write to /tmp': !(await fails(inside('touch', '/tmp/written'))),
      'has no capability': HostConfig.CapDrop.includes('ALL') && /^CapEff:\s+0+$/m.test(await status(inside)),
      'cannot gain rights': /^NoNewPrivs:\s+1$/m.test(await status(inside)),
      'has its limit of memory':
        (await limit(inside, 'memory')) === HostConfig.Memory && HostConfig.Memory > 0,
      'has its limit of processes': (await limit(inside, 'pids')) === HostConfig.PidsLimit,
    };
    for (const [rule, holds] of Object.entries(expected))
      if (!holds) faults.push(`${service}: it is not true that it ${rule}`);
  }
  const [gateway = ''] = await project.containersOf('gateway');
  const [relay = ''] = await project.containersOf('webhook-relay-svc');
  const [postgres = ''] = await project.containersOf('postgres');
  const address = await engine.docker(
    'inspect',
    '--format',
    '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}',
    postgres,
  );
  if (await reaches(engine, gateway, address)) faults.push('gateway: it reaches PostgreSQL');
  // The other way round, so that the check above cannot pass for another reason.
  if (!(await reaches(engine, relay, address)))
    faults.push('webhook-relay-svc: it does not reach PostgreSQL');
  return faults;
}

/** The packages beside the bundles, and whether the image has a compiler or npm packages for development. */
export async function faultsOfImage(engine: Engine, image: string): Promise<string[]> {
  const list = 'cd node_modules && ls -d [a-z]* @*/* | sort | tr "\\n" " "';
  const packages = await engine.docker('run', '--rm', '--network=none', image, 'sh', '-c', list);
  return packages === '@phc/format argon2 node-gyp-build'
    ? []
    : [`${image} has other packages than argon2 and what loads it: ${packages}`];
}

type Inside = (...command: string[]) => Promise<string>;

const status = (inside: Inside) => inside('cat', '/proc/1/status');

/** The limit of a control group, of either version. */
async function limit(inside: Inside, kind: 'memory' | 'pids'): Promise<number> {
  const files = {
    memory: ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'],
    pids: ['/sys/fs/cgroup/pids.max', '/sys/fs/cgroup/pids/pids.max'],
  };
  return Number(await inside('sh', '-c', `cat ${files[kind].join(' ')} 2>/dev/null`).catch(partOf));
}

/** What a command printed before it failed: one of the files is not there. */
const partOf = (error: unknown): string => (error as { stdout?: string }).stdout?.trim() ?? '';

const fails = (command: Promise<unknown>): Promise<boolean> =>
  command.then(
    () => false,
    () => true,
  );

/** Whether a container can connect to the port of PostgreSQL. */
async function reaches(engine: Engine, container: string, address: string): Promise<boolean> {
  const program = `
    const socket = require('node:net').connect(5432, '${address}', () => process.exit(0));
    socket.on('error', () => process.exit(1)).setTimeout(3000, () => process.exit(1));`;
  return !(await fails(engine.docker('exec', container, 'node', '-e', program)));
}

/** Requests that each container of a service has answered. */
export async function requestsOf(
  engine: Engine,
  project: ComposeProject,
  service: string,
): Promise<number[]> {
  const program = `
    fetch('http://127.0.0.1:9080/metrics').then((r) => r.text()).then((text) => {
      const lines = text.split('\\n').filter((line) => /^http_request_duration_seconds_count.*route="\\/api/.test(line));
      console.log(lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0));
    });`;
  const containers = await project.containersOf(service);
  return Promise.all(
    containers.map(async (id) => Number(await engine.docker('exec', id, 'node', '-e', program))),
  );
}
