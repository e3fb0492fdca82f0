import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { differences } from './container';

const chart = 'deploy/helm/canvass';
/** Without a cluster, helm assumes a version of Kubernetes that depends on its own. */
const command = ['template', 'canvass', chart, '--namespace', 'canvass', '--kube-version', '1.27.0'];
/** Helm gives the job the number of the revision, because a job cannot be changed. */
const provision = 'Job canvass-provision';

/** Objects by kind and name. */
type Objects = ReadonlyMap<string, unknown>;

/**
 * Renders the chart and compares its objects with those of `kubectl kustomize k8s/base`.
 *
 * @returns one sentence for each fault; undefined if this machine has no helm or no kubectl
 */
export function checkHelm(root: string): string[] | undefined {
  const missing = ['helm', 'kubectl'].filter((program) => spawnSync(program, ['version', '--client']).error);
  if (missing.length > 0) return undefined;
  const kustomized = objectsOf(run(root, ['kubectl', 'kustomize', 'k8s/base']));
  const faults = [
    ...chartDifferences(objectsOf(template(root, {})), kustomized),
    ...valueFaults(root, kustomized.size),
    ...refusalFaults(root),
  ];
  return faults.map((fault) => `${chart}: ${fault}`);
}

/** The differences between the objects of the chart and those of kustomize. */
export function chartDifferences(rendered: Objects, kustomized: Objects): string[] {
  const renamed = (name: string) => (name === provision ? `${provision}-1` : name);
  const expected = new Map(
    [...kustomized].map(([name, object]) => [renamed(name), withName(object, renamed(name).split(' ')[1]!)]),
  );
  return [
    ...[...rendered.keys()]
      .filter((name) => !expected.has(name))
      .map((name) => `${name} is in the chart only`),
    ...[...expected].flatMap(([name, object]) => {
      if (!rendered.has(name)) return [`lacks ${name}`];
      if (isDeepStrictEqual(rendered.get(name), object)) return [];
      const found = differences(object, rendered.get(name));
      return [`${name} differs: ${found.length > 0 ? found.join('; ') : 'it has more'}`];
    }),
  ];
}

const withName = (object: unknown, name: string): unknown => {
  const { metadata, ...rest } = object as { metadata: object };
  return { ...rest, metadata: { ...metadata, name } };
};

/** The objects of a stream of YAML documents. */
export function objectsOf(text: string): Objects {
  const objects = parseAllDocuments(text)
    .map((document) => document.toJS() as { kind: string; metadata: { name: string } } | null)
    .filter((object) => object !== null);
  return new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
}

const values = {
  image: { repository: 'registry.example.com/canvass', tag: '9.9.9', pullPolicy: 'Always' },
  deployments: {
    gateway: {
      replicas: 5,
      resources: { limits: { memory: '1Gi' } },
      pod: { nodeSelector: { disk: 'fast' } },
    },
  },
  settings: { 'canvass-gateway': { Service__Gateway__TrustedHops: '2' } },
  secrets: { 'canvass-relay': { Service__Internal__Secret: '12' } },
  ingress: { enabled: true },
};

/** Checks what the values must make of the objects. */
function valueFaults(root: string, count: number): string[] {
  const objects = objectsOf(template(root, values));
  const image = 'registry.example.com/canvass:9.9.9';
  const expected = {
    'Deployment gateway': {
      spec: {
        replicas: 5,
        template: {
          metadata: {
            annotations: { 'prometheus.io/scrape': 'true', 'checksum/settings': /^[0-9a-f]{64}$/ },
          },
          spec: {
            nodeSelector: { disk: 'fast' },
            containers: [
              {
                image,
                imagePullPolicy: 'Always',
                resources: { requests: { cpu: '200m' }, limits: { memory: '1Gi' } },
              },
            ],
          },
        },
      },
    },
    'Deployment identity-svc': { spec: { replicas: 2, template: { spec: { containers: [{ image }] } } } },
    [`${provision}-1`]: { spec: { template: { spec: { containers: [{ image }] } } } },
    'CronJob migrate-identity-svc': {
      spec: { jobTemplate: { spec: { template: { spec: { containers: [{ image }] } } } } },
    },
    'ConfigMap canvass-gateway': {
      data: {
        Service__Gateway__TrustedHops: '2',
        Service__Gateway__Services__Identity: 'http://identity-svc:8080',
      },
    },
    'Secret canvass-relay': { stringData: { Service__Internal__Secret: '12' } },
    'Ingress canvass': parse(
      readFileSync(path.join(root, 'k8s/overlays/example/ingress.yaml'), 'utf8'),
    ) as object,
  };
  const faults = differences(expected, Object.fromEntries(objects));
  if (objects.size !== count + 2) faults.push(`with values it has ${objects.size} objects, not ${count + 2}`);
  return faults.map((fault) => `with values: ${fault}`);
}

/** Values that the schema must refuse, and what helm must say. */
const refused: readonly (readonly [set: string, says: RegExp])[] = [
  ['deployments.console.replicas=1', /console/],
  ['deployments.gateway.replicas=two', /replicas/],
  ['settings.canvass-console.A=b', /canvass-console/],
  ['image.label=1', /label/],
];

function refusalFaults(root: string): string[] {
  return refused.flatMap(([set, says]) => {
    const { status, stderr } = spawnSync('helm', [...command, '--set', set], { cwd: root, encoding: 'utf8' });
    if (status === 0) return [`accepts ${set}`];
    return says.test(stderr) ? [] : [`refuses ${set} with: ${stderr.trim()}`];
  });
}

function template(root: string, given: object): string {
  return run(root, ['helm', ...command, '--values', '-'], stringify(given));
}

/** Returns what a program prints. @throws {Error} with its words if it fails */
function run(root: string, [program = '', ...args]: string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', input });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}
