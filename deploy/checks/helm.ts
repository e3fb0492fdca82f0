import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
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
  const rendered = objectsOf(run(root, 'helm', ...command));
  const kustomized = objectsOf(run(root, 'kubectl', 'kustomize', 'k8s/base'));
  return chartDifferences(rendered, kustomized).map((fault) => `${chart}: ${fault}`);
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

/** Returns what a program prints. @throws {Error} with its words if it fails */
function run(cwd: string, program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}
