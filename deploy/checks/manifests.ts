import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Fault } from './fault';

/** A Kubernetes object and the file it stands in. */
export interface Manifest {
  file: string;
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  [part: string]: unknown;
}

export interface Kustomization {
  file: string;
  resources: string[];
  /** Folders and files that `resources` names, from the root. */
  secretGenerator: { name: string; envs: string[] }[];
  images: { name: string; newName?: string; newTag?: string }[];
}

export interface KubernetesFiles {
  manifests: Manifest[];
  kustomizations: Kustomization[];
  faults: Fault[];
}

/** Reads everything below `k8s/`; text that is not YAML, and objects without a kind or a name, are faults. */
export function readKubernetesFiles(root: string): KubernetesFiles {
  const result: KubernetesFiles = { manifests: [], kustomizations: [], faults: [] };
  for (const file of yamlFiles(root, 'k8s')) {
    for (const document of parseAllDocuments(readFileSync(path.join(root, file), 'utf8'))) {
      const [error] = document.errors;
      if (error) {
        result.faults.push({ file, message: error.message.split('\n')[0]! });
        continue;
      }
      const content = document.toJS() as Record<string, unknown> | null;
      if (path.basename(file) === 'kustomization.yaml')
        result.kustomizations.push(kustomizationOf(file, content));
      else if (isManifest(content)) result.manifests.push({ ...content, file });
      else result.faults.push({ file, message: 'holds an object without apiVersion, kind or name' });
    }
  }
  for (const kustomization of result.kustomizations)
    result.faults.push(...resourceFaults(root, kustomization));
  result.faults.push(...unusedFiles(result));
  return result;
}

function yamlFiles(root: string, dir: string): string[] {
  return readdirSync(path.join(root, dir), { withFileTypes: true })
    .flatMap((entry) => {
      const name = `${dir}/${entry.name}`;
      if (entry.isDirectory()) return yamlFiles(root, name);
      return name.endsWith('.yaml') ? [name] : [];
    })
    .sort();
}

function isManifest(content: Record<string, unknown> | null): content is Manifest {
  const { apiVersion, kind, metadata } = content ?? {};
  return (
    typeof apiVersion === 'string' &&
    typeof kind === 'string' &&
    typeof (metadata as { name?: unknown } | null | undefined)?.name === 'string'
  );
}

function kustomizationOf(file: string, content: Record<string, unknown> | null): Kustomization {
  const { resources = [], secretGenerator = [], images = [] } = (content ?? {}) as Partial<Kustomization>;
  return { file, resources, secretGenerator, images };
}

function resourceFaults(root: string, { file, resources, secretGenerator }: Kustomization): Fault[] {
  const dir = path.dirname(file);
  const faults: Fault[] = [];
  for (const resource of resources) {
    const target = path.join(root, dir, resource);
    if (!existsSync(target)) faults.push({ file, message: `names ${resource}, which does not exist` });
    else if (statSync(target).isDirectory() && !existsSync(path.join(target, 'kustomization.yaml'))) {
      faults.push({ file, message: `names the folder ${resource}, which has no kustomization.yaml` });
    }
  }
  for (const { name, envs } of secretGenerator) {
    for (const env of envs) {
      if (!existsSync(path.join(root, dir, env))) {
        faults.push({ file, message: `the secret ${name} comes from ${env}, which does not exist` });
      }
    }
  }
  return faults;
}

function unusedFiles({ manifests, kustomizations }: KubernetesFiles): Fault[] {
  const used = new Set(
    kustomizations.flatMap(({ file, resources }) =>
      resources.map((resource) => path.posix.join(path.posix.dirname(file), resource)),
    ),
  );
  const files = new Set(manifests.map(({ file }) => file));
  return [...files]
    .filter((file) => !used.has(file))
    .map((file) => ({ file, message: 'is in no kustomization of its folder' }));
}
