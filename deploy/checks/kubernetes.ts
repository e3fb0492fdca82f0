import type { HostingSettings } from '@canvass/service-kit';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { parseAllDocuments } from 'yaml';
import {
  bundleOf,
  differences,
  isCommand,
  missingServices,
  readEnvironment,
  unknownAddresses,
  unknownCommand,
} from './container';
import { checkTypes, type Manifest } from './manifest-types';

interface Kustomization {
  resources?: string[];
  secretGenerator?: { name: string; envs: string[] }[];
}
interface Container {
  command?: string[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
}
interface Rule {
  from?: unknown[];
  to?: unknown[];
  ports?: { port: number }[];
}
interface Pod {
  spec: { terminationGracePeriodSeconds?: number; containers: [Container] };
}
/** The members that are read of the other kinds. */
interface Spec {
  template: Pod;
  /** The template of a CronJob. */
  jobTemplate?: { spec: { template: Pod } };
  ports: { port: number }[];
  /** The target of an autoscaler. */
  scaleTargetRef: { name: string };
  /** The rules of a network policy. */
  ingress?: Rule[];
  egress?: Rule[];
  rules: { http: { paths: { backend: { service: { name: string } } }[] } }[];
}

/** The settings that the pod of a process with listeners must have. */
const listening = ({ Port, InternalPort, LivenessPath, ReadinessPath }: HostingSettings) => ({
  containers: [
    {
      ports: [
        { name: 'http', containerPort: Port },
        { name: 'internal', containerPort: InternalPort },
      ],
      startupProbe: { httpGet: { path: LivenessPath, port: 'http' } },
      livenessProbe: { httpGet: { path: LivenessPath, port: 'http' } },
      readinessProbe: { httpGet: { path: ReadinessPath, port: 'http' } },
      volumeMounts: [{ name: 'extensions', mountPath: '/extensions', readOnly: true }],
    },
  ],
  topologySpreadConstraints: [{ matchLabelKeys: ['pod-template-hash'] }],
  volumes: [{ name: 'extensions', configMap: { name: 'canvass-extensions', optional: true } }],
});

/** Checks everything below `k8s/`: form, types, references, and the pods against the processes in them. */
export async function checkKubernetes(root: string): Promise<string[]> {
  const { manifests, values, faults } = readFiles(root);
  if (faults.length === 0) faults.push(...checkTypes(manifests));
  if (faults.length > 0) return faults;

  const ofKind = (...kinds: string[]) => manifests.filter(({ kind }) => kinds.includes(kind));
  for (const { metadata, data } of ofKind('ConfigMap')) values.set(metadata.name, data);
  const addresses = new Set(
    ofKind('Service').flatMap(({ metadata, spec }) =>
      spec.ports.map(({ port }) => `${metadata.name}:${port}`),
    ),
  );
  const pods = ofKind('Deployment', 'Job', 'CronJob').map(({ at, spec }) => ({
    at,
    ...(spec.jobTemplate?.spec ?? spec).template,
  }));
  for (const { at, spec } of pods) {
    const [{ command, envFrom = [] }] = spec.containers;
    const sources = envFrom.map(
      ({ configMapRef, secretRef }) => configMapRef?.name ?? `Secret ${secretRef?.name}`,
    );
    const env = Object.assign({}, ...sources.map((source) => values.get(source))) as Record<string, string>;
    const missing = sources.filter((source) => !values.has(source));
    faults.push(...missing.map((source) => `${at}: refers to ${source}, which does not exist`));
    const { hosting: configured, faults: found } = await readEnvironment(bundleOf(command), env);
    const hosting = isCommand(command) ? undefined : configured;
    const lacks = hosting ? differences(listening(hosting), spec) : [];
    if (hosting && (spec.terminationGracePeriodSeconds ?? 30) <= hosting.ShutdownSeconds)
      lacks.push(`terminationGracePeriodSeconds is not longer than ${hosting.ShutdownSeconds} s`);
    faults.push(
      ...[...found, ...(await unknownCommand(command)), ...unknownAddresses(env, addresses), ...lacks].map(
        (fault) => `${at}: ${fault}`,
      ),
    );
  }
  for (const { at, spec } of ofKind('Ingress'))
    for (const { backend } of spec.rules.flatMap(({ http }) => http.paths))
      if (backend.service.name !== 'gateway')
        faults.push(`${at}: leads to ${backend.service.name}; only the gateway may be reached from outside`);
  for (const { at, metadata, spec } of ofKind('NetworkPolicy')) {
    if (spec.ingress?.some(({ from }) => from === undefined))
      faults.push(`${at}: ${metadata.name} does not say from whom`);
    if (spec.egress?.some(({ to, ports }) => to === undefined && ports?.some(({ port }) => port === 53)))
      faults.push(`${at}: ${metadata.name} lets DNS go anywhere`);
  }
  const deployments = ofKind('Deployment').map(({ metadata }) => metadata.name);
  for (const { at, spec } of ofKind('HorizontalPodAutoscaler', 'ScaledObject'))
    if (!deployments.includes(spec.scaleTargetRef.name))
      faults.push(`${at}: scales ${spec.scaleTargetRef.name}, which is no deployment`);
  const serving = pods.map(({ spec }) => spec.containers[0]).filter(({ command }) => !isCommand(command));
  return [...faults, ...missingServices(serving.map(({ command }) => bundleOf(command)))];
}

/**
 * Reads the YAML files. Every manifest must be in a kustomization, and every file that one names must
 * exist.
 */
function readFiles(root: string) {
  const manifests: Manifest<Spec>[] = [];
  /** The data of ConfigMaps and secret templates, by name. */
  const values = new Map<string, object>();
  const faults: string[] = [];
  const named = new Set<string>();
  for (const name of readdirSync(path.join(root, 'k8s'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.yaml')) continue;
    const at = `k8s/${name}`;
    const beside = (file: string) => path.join(path.dirname(at), file);
    for (const document of parseAllDocuments(readFileSync(path.join(root, at), 'utf8'))) {
      faults.push(...document.errors.map(({ message }) => `${at}: ${message}`));
      const content = document.toJS() as Manifest<Spec> & Kustomization;
      if (content.kind !== 'Kustomization') {
        manifests.push({ ...content, at });
        continue;
      }
      const { resources = [], secretGenerator = [] } = content;
      const files = [...resources, ...secretGenerator.flatMap(({ envs }) => envs)];
      files.forEach((file) => named.add(beside(file)));
      const missing = files.filter((file) => !existsSync(path.join(root, beside(file))));
      faults.push(...missing.map((file) => `${at}: names ${file}, which does not exist`));
      for (const { name: secret, envs } of missing.length > 0 ? [] : secretGenerator)
        values.set(
          `Secret ${secret}`,
          Object.assign({}, ...envs.map((env) => readTemplate(root, beside(env)))),
        );
    }
  }
  const unused = manifests.filter(({ at }) => !named.has(at));
  return {
    manifests,
    values,
    faults: [...faults, ...unused.map(({ at }) => `${at}: is in no kustomization`)],
  };
}

/** A secret template with values of the right form where an operator writes real ones. */
function readTemplate(root: string, file: string): object {
  const key = `k1:${Buffer.alloc(32).toString('base64')}`;
  const text = readFileSync(path.join(root, file), 'utf8').replaceAll(/(Encryption\S*)replace/g, `$1${key}`);
  return parseEnv(text.replaceAll('replace', 'a1B2c3D4'.repeat(6)));
}
