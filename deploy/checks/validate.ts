import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkCompose, lintCompose } from './compose';
import { services } from './container';
import { checkHelm } from './helm';
import { checkKubernetes } from './kubernetes';

const checkout = path.resolve(__dirname, '../..');
const secretFiles = 'docker-compose.secrets.yml';

/**
 * Checks the Dockerfile, both Compose files and everything below `k8s/` without an engine, a cluster or a
 * network.
 *
 * @param root the folder that holds them
 * @returns one sentence for each fault, which begins with the file
 */
export async function validateDeployment(root: string): Promise<string[]> {
  return [
    ...checkImage(root),
    ...(await checkCompose(root)).map((fault) => `docker-compose.yml: ${fault}`),
    ...lintCompose(path.join(root, secretFiles)).map((fault) => `${secretFiles}: ${fault}`),
    ...(await checkKubernetes(root)),
  ];
}

/** Checks the Dockerfile, and the version of the image wherever it is named. */
export const checkImage = (root: string): string[] => [...checkDockerfile(root), ...checkVersions(root)];

/** Finds what an engine finds only during a build, or never: copied files, the app, the user, process 1. */
function checkDockerfile(root: string): string[] {
  const text = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
  const missing = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
    .flatMap(([, sources]) => sources!.split(' '))
    .filter((source) => !existsSync(path.join(checkout, source)))
    .map((source) => `copies ${source}, which does not exist`);
  const node = readFileSync(path.join(checkout, '.nvmrc'), 'utf8').trim();
  const rules: [RegExp, string][] = [
    [new RegExp(`^ARG NODE_IMAGE=node:${node}-`, 'm'), `NODE_IMAGE is not Node ${node}, which .nvmrc names`],
    [/^ARG NODE_IMAGE=\S+@sha256:[0-9a-f]{64}$/m, 'NODE_IMAGE has no digest'],
    // BuildKit would fetch the image that it names, even where all base images are local.
    [/^(?!# syntax=)/, 'names a syntax, which cannot be fetched offline'],
    [/^USER [1-9]\d*(:[1-9]\d*)?$/m, 'does not run as a user with a number other than 0'],
    [new RegExp(`^ARG APP=(${services.join('|')})$`, 'm'), 'ARG APP is no service'],
    [/^CMD .*exec node/m, 'CMD does not replace the shell by node, which then gets no SIGTERM'],
  ];
  const broken = rules.filter(([pattern]) => !pattern.test(text)).map(([, fault]) => fault);
  return [...missing, ...broken].map((fault) => `Dockerfile: ${fault}`);
}

/** The image has the version of package.json in Compose and in every kustomization. */
function checkVersions(root: string): string[] {
  const { version } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')) as {
    version: string;
  };
  const places: [string, RegExp][] = [
    ['docker-compose.yml', /canvass:([\w.-]+)\}/],
    ['k8s/base/kustomization.yaml', /newTag: (\S+)/],
    ['k8s/overlays/example/kustomization.yaml', /newTag: (\S+)/],
    ['deploy/helm/canvass/Chart.yaml', /^version: (\S+)/m],
  ];
  return places
    .map(([file, pattern]) => [file, pattern.exec(readFileSync(path.join(root, file), 'utf8'))?.[1]] as const)
    .filter(([, tag]) => tag !== version)
    .map(([file, tag]) => `${file}: the image is canvass:${tag}, the version is ${version}`);
}

async function main(): Promise<void> {
  const chartFaults = checkHelm(checkout);
  const faults = [...(await validateDeployment(checkout)), ...(chartFaults ?? [])];
  for (const fault of faults) console.log(`FAIL ${fault}`);
  if (faults.length === 0)
    console.log('ok   Dockerfile, docker-compose.yml, docker-compose.secrets.yml, k8s/');
  if (chartFaults === undefined) console.log('skipped: the Helm chart, because helm or kubectl is missing');
  process.exitCode = faults.length === 0 ? 0 : 1;
}

if (require.main === module) void main();
