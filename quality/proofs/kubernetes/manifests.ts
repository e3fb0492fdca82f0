import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkoutDir } from '@canvass/infra';
import { parseAllDocuments } from 'yaml';

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

/** Servers outside the cluster, by what stands in URLs. */
interface Servers {
  /** Host of Postgres. */
  database: string;
  /** Host of RabbitMQ. */
  broker: string;
  managementUrl: string;
  /** Network with receivers of webhooks, as CIDR. */
  receivers: string;
}

/** Of the first administrator, in the example. */
export const adminEmail = 'admin@example.com';

/**
 * Copies `k8s/` and puts values into the secrets of the example, as an operator does.
 *
 * @returns the folder of the overlay, and the password of the first administrator
 */
export function writeOverlay(dir: string, servers: Servers): { overlay: string; adminPassword: string } {
  const adminPassword = randomBytes(16).toString('hex');
  cpSync(path.join(checkoutDir, 'k8s'), path.join(dir, 'k8s'), { recursive: true });
  const overlay = path.join(dir, 'k8s/overlays/example');
  const secrets = path.join(overlay, 'secrets');
  const key = `k1:${randomBytes(32).toString('base64')}`;
  for (const name of readdirSync(secrets)) {
    const file = path.join(secrets, name);
    const text = readFileSync(file, 'utf8')
      .replaceAll('http://admin:replace@rabbitmq.example.com:15672', servers.managementUrl)
      .replaceAll('postgres.example.com', servers.database)
      .replaceAll('rabbitmq.example.com', servers.broker)
      .replaceAll(/(Encryption\S*)replace/g, `$1${key}`)
      .replaceAll('replace', adminPassword);
    writeFileSync(file, text);
  }
  const allowed = `Service__WebHooks__AllowedNetworks=["${servers.receivers}"]\n`;
  for (const name of ['submissions', 'relay']) appendFileSync(path.join(secrets, `${name}.env`), allowed);
  // All load comes from one address.
  const unlimited = ['PerAddress', 'AnonymousCreates'].map(
    (name) => `Service__Gateway__RateLimits__${name}=0\n`,
  );
  appendFileSync(path.join(secrets, 'gateway.env'), unlimited.join(''));
  return { overlay, adminPassword };
}

/** The objects of an overlay, in the order in which they are applied. */
export function render(kustomize: string, overlay: string): KubernetesObject[] {
  const text = execFileSync(kustomize, ['build', overlay], { encoding: 'utf8', maxBuffer: 1e7 });
  return parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
}

/** Kinds that Kubernetes 1.20 has in an earlier version of their group only, with the same fields. */
const earlierVersions: Record<string, string> = {
  PodDisruptionBudget: 'policy/v1beta1',
  CronJob: 'batch/v1beta1',
};

/** What Kubernetes 1.20 accepts of objects that are written for 1.27. */
export const forKubernetes120 = (objects: readonly KubernetesObject[]): KubernetesObject[] =>
  objects.map((object) => {
    const apiVersion = earlierVersions[object.kind] ?? object.apiVersion;
    const withoutKeys = JSON.stringify(object, (key, value: unknown) =>
      key === 'matchLabelKeys' ? undefined : value,
    );
    return { ...(JSON.parse(withoutKeys) as KubernetesObject), apiVersion };
  });
