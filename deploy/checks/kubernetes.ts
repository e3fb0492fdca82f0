import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { deployableApps, readEnvironment } from './app-config';
import { extensionsFolder } from './compose';
import type { Fault } from './fault';
import { readKubernetesFiles, type Manifest } from './manifests';
import { checkManifestTypes } from './manifest-types';
import { workloadsOf, type Probe, type Workload } from './workloads';

/** Checks everything below `k8s/`: form, types, and what the objects say of each other and of the processes. */
export async function checkKubernetes(
  root: string,
  useKubectl: boolean,
): Promise<{ files: string[]; faults: Fault[] }> {
  const read = readKubernetesFiles(root);
  const files = [...new Set([...read.manifests, ...read.kustomizations].map(({ file }) => file))];
  const faults = [...read.faults, ...checkManifestTypes(read.manifests)];
  if (faults.length > 0) return { files, faults };

  const workloads = workloadsOf(root, read);
  for (const app of deployableApps()) {
    if (!workloads.some(({ bundle }) => bundle === `dist/apps/${app}/main.js`)) {
      faults.push({ file: 'k8s/base/kustomization.yaml', message: `no workload runs ${app}` });
    }
  }
  for (const workload of workloads) {
    const { file } = workload.manifest;
    for (const message of await workloadFaults(workload, read.manifests)) faults.push({ file, message });
  }
  faults.push(...selectorFaults(read.manifests, workloads), ...ingressFaults(read.manifests));
  if (useKubectl) for (const { file } of read.kustomizations) faults.push(...builtByKubectl(root, file));
  return { files, faults };
}

async function workloadFaults(workload: Workload, manifests: readonly Manifest[]): Promise<string[]> {
  const { container, pod, bundle, environment, missing, addresses } = workload;
  const faults = missing.map((reference) => `refers to the ${reference}, which is nowhere`);
  if (bundle === undefined) return [...faults, 'starts no bundle of the image'];
  if (missing.length > 0) return faults;

  const { hosting, faults: configFaults } = await readEnvironment(bundle, environment);
  faults.push(...configFaults, ...hardening(workload));
  for (const { key, host, port } of addresses.filter(({ host }) => !host.includes('.'))) {
    if (!servicePorts(manifests, host).includes(port))
      faults.push(`${key} names ${host}:${port}, which no Service has`);
  }
  if (hosting === null) return faults;

  if (!mountsExtensions(workload))
    faults.push(
      `${extensionsFolder} is not the optional ConfigMap ${extensionsConfigMap}, mounted read-only`,
    );
  const ports = container.ports ?? [];
  for (const port of [hosting.Port, hosting.InternalPort]) {
    if (!ports.some(({ containerPort }) => containerPort === port))
      faults.push(`listens on ${port}, which is no containerPort`);
  }
  const expected: [string, Probe | undefined, string][] = [
    ['startupProbe', container.startupProbe, hosting.LivenessPath],
    ['livenessProbe', container.livenessProbe, hosting.LivenessPath],
    ['readinessProbe', container.readinessProbe, hosting.ReadinessPath],
  ];
  for (const [name, probe, probePath] of expected) {
    const port = ports.find((candidate) => candidate.name === probe?.httpGet?.port)?.containerPort;
    if (probe?.httpGet?.path !== probePath || port !== hosting.Port) {
      faults.push(`${name} does not ask ${probePath} on port ${hosting.Port}`);
    }
  }
  if ((pod.terminationGracePeriodSeconds ?? 30) <= hosting.ShutdownSeconds) {
    faults.push(
      `terminationGracePeriodSeconds is not longer than the ${hosting.ShutdownSeconds} s a stop may take`,
    );
  }
  return faults;
}

/** An overlay names its ConfigMap by that name; where it has none, the pod starts without. */
const extensionsConfigMap = 'canvass-extensions';

function mountsExtensions({ container, pod }: Workload): boolean {
  const mount = container.volumeMounts?.find(({ mountPath }) => mountPath === extensionsFolder);
  const source = pod.volumes?.find(({ name }) => name === mount?.name)?.configMap;
  return mount?.readOnly === true && source?.name === extensionsConfigMap && source.optional === true;
}

function hardening({ container, pod }: Workload): string[] {
  const { securityContext: own = {}, resources = {} } = container;
  const faults: string[] = [];
  if (pod.securityContext?.runAsNonRoot !== true) faults.push('may run as root');
  if (own.readOnlyRootFilesystem !== true) faults.push('its file system is not read-only');
  if (own.allowPrivilegeEscalation !== false) faults.push('may gain privileges');
  if (!own.capabilities?.drop?.includes('ALL')) faults.push('keeps capabilities');
  if (resources.limits?.memory === undefined) faults.push('has no memory limit');
  return faults;
}

function servicePorts(manifests: readonly Manifest[], name: string): (number | string)[] {
  const service = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name);
  const { ports = [] } = (service?.['spec'] ?? {}) as { ports?: { name: string; port: number }[] };
  return ports.flatMap((port) => [port.port, port.name]);
}

/** Services and disruption budgets must find pods, and a Service's target must be a port of theirs. */
function selectorFaults(manifests: readonly Manifest[], workloads: readonly Workload[]): Fault[] {
  return manifests
    .filter(({ kind }) => kind === 'Service' || kind === 'PodDisruptionBudget')
    .flatMap(({ file, kind, metadata, spec }) => {
      const { selector, ports = [] } = spec as {
        selector: Record<string, string> & { matchLabels?: Record<string, string> };
        ports?: { port: number; targetPort: string }[];
      };
      const labels = Object.entries(selector.matchLabels ?? selector);
      const found = workloads.find((workload) =>
        labels.every(([key, value]) => workload.labels[key] === value),
      );
      if (found === undefined) return [{ file, message: `${kind} ${metadata.name} selects no pod` }];
      return ports
        .filter(
          ({ port, targetPort }) =>
            !found.container.ports?.some(
              ({ name, containerPort }) => name === targetPort && containerPort === port,
            ),
        )
        .map(({ targetPort }) => ({
          file,
          message: `Service ${metadata.name} leads to ${targetPort}, which is no such port`,
        }));
    });
}

/** Only the gateway may be reached from outside. */
function ingressFaults(manifests: readonly Manifest[]): Fault[] {
  interface Backend {
    service: { name: string; port: { name?: string; number?: number } };
  }
  return manifests
    .filter(({ kind }) => kind === 'Ingress')
    .flatMap(({ file, spec }) => {
      const { rules } = spec as { rules: { http: { paths: { backend: Backend }[] } }[] };
      return rules
        .flatMap(({ http }) => http.paths)
        .flatMap(({ backend: { service } }) => {
          if (service.name !== 'gateway')
            return [`leads to ${service.name}; only the gateway may be reached from outside`];
          const known = servicePorts(manifests, service.name).includes(
            service.port.name ?? service.port.number ?? '',
          );
          return known ? [] : ['leads to a port that the gateway does not have'];
        })
        .map((message) => ({ file, message }));
    });
}

/** Where there is a kubectl, it must be able to build the kustomization; it needs no cluster for that. */
function builtByKubectl(root: string, file: string): Fault[] {
  try {
    execFileSync('kubectl', ['kustomize', path.join(root, path.dirname(file))], {
      stdio: 'pipe',
      timeout: 60_000,
    });
    return [];
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: Buffer };
    if (code === 'ENOENT') return [];
    return [{ file, message: `kubectl kustomize: ${stderr?.toString('utf8').trim() || String(error)}` }];
  }
}
