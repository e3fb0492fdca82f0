import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkCompose } from './compose';
import { checkKubernetes } from './kubernetes';
import { checkImage, validateDeployment } from './validate';

const checkout = path.resolve(__dirname, '../..');
const { version } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')) as {
  version: string;
};
const compose = 'docker-compose.yml';
const base = 'k8s/base/kustomization.yaml';
const config = 'k8s/base/config.yaml';
const example = 'k8s/overlays/example/kustomization.yaml';
const gateway = 'k8s/base/gateway.yaml';
const relay = 'k8s/base/webhook-relay-svc.yaml';
const policies = 'k8s/base/network-policies.yaml';
const chart = 'deploy/helm/canvass/Chart.yaml';
const migrate = 'k8s/base/migrate-jobs.yaml';
const operators = 'k8s/overlays/operators';

/** Faults to seed: in a file, a text and what replaces it; then what the check must say. */
const seeds: [file: string, from: string, to: string, says: RegExp][] = [
  ['Dockerfile', 'USER 1000:1000', 'USER root', /a user with a number/],
  ['Dockerfile', 'ARG APP=gateway', 'ARG APP=gatweay', /no service/],
  ['Dockerfile', 'node:24-', 'node:20-', /Node 24/],
  ['Dockerfile', '-slim@sha256:', '-slim@sha255:', /NODE_IMAGE has no digest/],
  [compose, '18-bookworm@sha256:', '18-bookworm@sha25:', /postgres: the image .* has no digest/],
  ['Dockerfile', '# One image', '# syntax=docker/dockerfile:1\n# One image', /offline/],
  ['Dockerfile', 'exec node', 'node', /SIGTERM/],
  ['Dockerfile', 'COPY LICENSE', 'COPY LICENCE', /does not exist/],
  [compose, 'services:', 'services: [', /line/],
  [compose, 'shm_size:', 'shm_sise:', /invalid-schema/],
  [compose, 'Gateway__TrustedHops', 'Gateway__TrustedHop', /Service:Gateway:TrustedHop is not a known key/],
  [compose, 'Service__Settings__BaseUrl', 'Elsewhere', /Service:Settings/],
  [compose, 'http://datalists-svc:8080', 'http://datalist-svc:8080', /datalist-svc:8080, where nothing/],
  [compose, 'submissions-svc:9080', 'submissions-svc:9081', /submissions-svc:9081, where nothing/],
  [compose, "8080/ready'", "8080/alive'", /gateway: healthcheck.test/],
  [compose, 'stop_grace_period: 30s', 'stop_grace_period: 20s', /not longer than/],
  [compose, 'read_only: true', 'read_only: false', /read_only is false/],
  [compose, 'dist/apps/gateway/main.js', 'dist/gateway/main.js', /not in the image[^]*nothing runs gateway/],
  [compose, 'target: 8080', 'target: 8081', /gateway: ports lacks {"target":8080}/],
  [compose, `canvass:${version}`, 'canvass:0.0.9', /canvass:0\.0\.9/],
  [compose, 'Submitter__Extractors', 'Submitter__Extractor', /Submitter:Extractor is not a known key/],
  [compose, '/extensions:ro', '/extensions', /volumes lacks/],
  [compose, 'pids_limit: 200', 'pids_limit: 0x', /pids_limit/],
  [compose, 'mem_limit: 512m', 'mem_limit: ~', /mem_limit/],
  [
    compose,
    'networks:\n      - services\n    environment',
    'environment',
    /reaches the network of PostgreSQL/,
  ],
  [`${operators}/postgres.yaml`, 'instances: 3', 'instance: 3', /postgres\.yaml: .*"instance"/],
  [`${operators}/autoscaling.yaml`, 'maxReplicaCount: 6', "maxReplicaCount: 'six'", /not assignable/],
  [`${operators}/autoscaling.yaml`, 'minReplicas: 2', 'minReplica: 2', /minReplica/],
  [
    `${operators}/autoscaling.yaml`,
    'kind: Deployment\n    name: gateway',
    'kind: Deployment\n    name: gate',
    /scales gate, which is no deployment/,
  ],
  [
    policies,
    "from:\n        - namespaceSelector:\n            matchLabels:\n              canvass/ingress: 'true'\n      ports:",
    'ports:',
    /canvass-gateway does not say from whom/,
  ],
  [
    policies,
    'to:\n        - namespaceSelector:\n            matchLabels:\n              kubernetes.io/metadata.name: kube-system\n          podSelector:\n            matchLabels:\n              k8s-app: kube-dns\n      ports:',
    'ports:',
    /canvass-default-deny lets DNS go anywhere/,
  ],
  [gateway, 'matchLabelKeys: [pod-template-hash]', 'minDomains: 1', /topologySpreadConstraints lacks/],
  [gateway, 'optional: true', 'optional: false', /volumes lacks/],
  [gateway, 'failureThreshold: 60', 'failureTreshold: 60', /failureTreshold/],
  [gateway, 'replicas: 2', "replicas: 'two'", /not assignable/],
  [gateway, 'kind: Service', 'knd: Service', /gateway\.yaml/],
  [gateway, 'path: /alive', 'path: /health', /gateway\.yaml: containers lacks .*"\/alive"/],
  [
    gateway,
    'path: /ready\n              port: http',
    'path: /ready\n              port: internal',
    /"\/ready"/,
  ],
  [gateway, 'containerPort: 8080', 'containerPort: 3000', /"containerPort":8080/],
  [relay, 'terminationGracePeriodSeconds: 30', 'terminationGracePeriodSeconds: 15', /not longer than 20 s/],
  [relay, 'limits:', 'requests2:', /requests2/],
  [
    relay,
    'name: canvass-relay\n          ports',
    'name: canvass-rely\n          ports',
    /Secret canvass-rely/,
  ],
  [
    config,
    'Service__Hosting__DrainSeconds',
    'Service__Hosting__Drain',
    /Service:Hosting:Drain is not a known/,
  ],
  [config, "DrainSeconds: '5'", "DrainSeconds: 'five'", /Service:Hosting:DrainSeconds must be a number/],
  [config, 'http://identity-svc:8080\n', 'http://identity:8080\n', /identity:8080, where nothing listens/],
  [
    'k8s/overlays/example/secrets/relay.env',
    'Internal__Secret',
    'Internal__Sekret',
    /Internal:Sekret is not a/,
  ],
  [migrate, 'name: canvass-identity', 'name: canvass-identify', /Secret canvass-identify/],
  [migrate, 'main.js, migrate]', 'main.js, mitigate]', /identity-svc has no command mitigate/],
  [migrate, 'dist/apps/identity-svc/main.js', 'dist/identity-svc/main.js', /not in the image/],
  [migrate, 'suspend: true', 'suspended: true', /suspended/],
  [base, '- gateway.yaml', '- getaway.yaml', /getaway\.yaml, which does not exist/],
  [base, '  - gateway.yaml\n', '', /gateway\.yaml: is in no kustomization/],
  [base, `newTag: ${version}`, 'newTag: 0.0.9', /canvass:0\.0\.9/],
  [chart, `version: ${version}`, 'version: 0.0.9', /Chart\.yaml: the image is canvass:0\.0\.9/],
  ['k8s/overlays/example/ingress.yaml', 'name: gateway', 'name: identity-svc', /only the gateway/],
  [example, 'secrets/relay.env', 'secrets/rely.env', /rely\.env, which does not exist/],
];

/** The check of a file: all of them together take seconds. */
function checkOf(file: string): (root: string) => Promise<string[]> {
  return file === compose ? checkCompose : checkKubernetes;
}

it('finds nothing wrong with the files as they are', async () => {
  expect(await validateDeployment(checkout)).toEqual([]);
});

it.each(seeds)('finds a fault in %s: %j became %j', async (file, from, to, says) => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'canvass-deploy-'));
  try {
    for (const name of ['Dockerfile', compose, 'k8s', chart])
      cpSync(path.join(checkout, name), path.join(root, name), { recursive: true });
    const original = readFileSync(path.join(checkout, file), 'utf8');
    const changed = original.replace(from, () => to);
    expect(changed).not.toBe(original);
    writeFileSync(path.join(root, file), changed);
    expect([...checkImage(root), ...(await checkOf(file)(root))].join('\n')).toMatch(says);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
