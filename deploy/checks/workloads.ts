import { readFileSync } from 'node:fs';
import path from 'node:path';
import { addressesIn, bundleOf } from './compose';
import type { KubernetesFiles, Manifest } from './manifests';

export interface Container {
  name: string;
  image: string;
  command?: string[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
  resources?: { limits?: { memory?: string } };
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
}

export interface Probe {
  httpGet?: { path: string; port: string | number };
}

interface PodTemplate {
  metadata?: { labels?: Record<string, string> };
  spec: {
    securityContext?: { runAsNonRoot?: boolean };
    terminationGracePeriodSeconds?: number;
    volumes?: { name: string; configMap?: { name: string; optional?: boolean } }[];
    containers: Container[];
  };
}

/** A Deployment or Job with its one container, and the environment that container gets. */
export interface Workload {
  manifest: Manifest;
  labels: Record<string, string>;
  pod: PodTemplate['spec'];
  container: Container;
  bundle: string | undefined;
  environment: Record<string, string>;
  /** References to ConfigMaps and Secrets that are nowhere. */
  missing: string[];
  addresses: ReturnType<typeof addressesIn>;
}

/** Collects the workloads; secrets are the templates of the overlays, with every "replace" replaced. */
export function workloadsOf(root: string, { manifests, kustomizations }: KubernetesFiles): Workload[] {
  const configMaps = new Map(
    manifests
      .filter(({ kind }) => kind === 'ConfigMap')
      .map(({ metadata, data }) => [metadata.name, data as Record<string, string>]),
  );
  const secrets = new Map(
    kustomizations.flatMap(({ file, secretGenerator }) =>
      secretGenerator.map(({ name, envs }) => {
        const files = envs.map((env) => path.join(root, path.dirname(file), env));
        return [name, Object.assign({}, ...files.map(readTemplate)) as Record<string, string>];
      }),
    ),
  );
  return manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .flatMap((manifest) => {
      const { template } = manifest['spec'] as { template: PodTemplate };
      return template.spec.containers.map((container): Workload => {
        const environment: Record<string, string> = {};
        const missing: string[] = [];
        for (const { configMapRef, secretRef } of container.envFrom ?? []) {
          const name = configMapRef?.name ?? secretRef?.name ?? '';
          const values = (configMapRef ? configMaps : secrets).get(name);
          if (values === undefined) missing.push(`${configMapRef ? 'ConfigMap' : 'Secret'} ${name}`);
          Object.assign(environment, values);
        }
        return {
          manifest,
          labels: template.metadata?.labels ?? {},
          pod: template.spec,
          container,
          bundle: bundleOf(container.command),
          environment,
          missing,
          addresses: addressesIn(environment),
        };
      });
    });
}

/** An env file of an overlay, with values of the right form in the places that an operator fills. */
function readTemplate(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [key = '', ...rest] = line.split('=');
      const filler = key.includes('Encryption')
        ? `k1:${Buffer.alloc(32).toString('base64')}`
        : 'x'.repeat(48);
      return [key, rest.join('=').replaceAll('replace', filler)];
    }),
  );
}
