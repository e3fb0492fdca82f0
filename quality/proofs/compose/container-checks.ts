import type { Engine } from '@canvass/engine';
import type { ComposeProject } from './compose-project';

/** The packages beside the bundles, and whether the image has a compiler or npm packages for development. */
export async function faultsOfImage(engine: Engine, image: string): Promise<string[]> {
  const list = 'cd node_modules && ls -d [a-z]* @*/* | sort | tr "\\n" " "';
  const packages = await engine.docker('run', '--rm', '--network=none', image, 'sh', '-c', list);
  return packages === '@phc/format argon2 node-gyp-build'
    ? []
    : [`${image} has other packages than argon2 and what loads it: ${packages}`];
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
