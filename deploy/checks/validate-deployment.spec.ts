import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { validateDeployment } from './validate-deployment';

const checkout = path.resolve(__dirname, '../..');
const compose = 'docker-compose.yml';
const gateway = 'k8s/base/gateway.yaml';
const relay = 'k8s/base/webhook-relay-svc.yaml';

/** A fault to seed: a text of a file and what stands there instead; then the file that must be blamed, and for what. */
type Seed = [what: string, file: string, from: string, to: string, blamed: string, says: RegExp];

const seeds: Seed[] = [
  ['a stage that does not exist', 'Dockerfile', '--from=build', '--from=builder', 'Dockerfile', /no stage/],
  ['the root user', 'Dockerfile', 'USER 1000:1000', 'USER root', 'Dockerfile', /a user with a number/],
  ['an unknown app', 'Dockerfile', 'ARG APP=gateway', 'ARG APP=gatweay', 'Dockerfile', /no app/],
  ['a shell as process 1', 'Dockerfile', 'exec node', 'node', 'Dockerfile', /SIGTERM/],
  [
    'a file to copy that is not there',
    'Dockerfile',
    'COPY LICENSE',
    'COPY LICENCE',
    'Dockerfile',
    /does not exist/,
  ],
  ['YAML that is none', compose, 'services:', 'services: [', compose, /line/],
  ['a key Compose does not know', compose, 'shm_size:', 'shm_sise:', compose, /invalid-schema/],
  [
    'an unknown configuration key',
    compose,
    'Service__Gateway__TrustedHops',
    'Service__Gateway__TrustedHop',
    compose,
    /Service:Gateway:TrustedHop is not a known key/,
  ],
  [
    'a missing configuration key',
    compose,
    'Service__Settings__BaseUrl',
    'Elsewhere',
    compose,
    /Service:Settings:BaseUrl|Service:Settings is required/,
  ],
  [
    'a host that is no service',
    compose,
    'http://datalists-svc:8080',
    'http://datalist-svc:8080',
    compose,
    /nobody listens/,
  ],
  [
    'a port nobody listens on',
    compose,
    'http://submissions-svc:9080',
    'http://submissions-svc:9081',
    compose,
    /nobody listens/,
  ],
  [
    'a health check on another path',
    compose,
    "8080/ready'",
    "8080/alive'",
    compose,
    /health check does not ask/,
  ],
  [
    'too short a grace period',
    compose,
    'stop_grace_period: 30s',
    'stop_grace_period: 20s',
    compose,
    /not longer than/,
  ],
  ['a writable file system', compose, 'read_only: true', 'read_only: false', compose, /not read-only/],
  [
    'a bundle that is not in the image',
    compose,
    'dist/apps/gateway/main.js',
    'dist/gateway/main.js',
    compose,
    /not in the image/,
  ],
  ['a published port nobody listens on', compose, 'target: 8080', 'target: 8081', compose, /publishes 8081/],
  ['another image version', compose, 'canvass:0.1.0', 'canvass:0.0.9', compose, /canvass:0\.0\.9/],
  [
    'an extension key that is not known',
    compose,
    'Service__Submitter__Extractors',
    'Service__Submitter__Extractor',
    compose,
    /Service:Submitter:Extractor is not a known key/,
  ],
  [
    'extensions that could be written',
    compose,
    '/extensions:ro',
    '/extensions',
    compose,
    /not mounted read-only/,
  ],
  [
    'a pod that needs extensions',
    gateway,
    'optional: true',
    'optional: false',
    gateway,
    /is not the optional ConfigMap/,
  ],
  [
    'a field Kubernetes does not know',
    gateway,
    'failureThreshold: 60',
    'failureTreshold: 60',
    gateway,
    /failureTreshold/,
  ],
  ['a value of the wrong type', gateway, 'replicas: 2', "replicas: 'two'", gateway, /not assignable/],
  [
    'an object without a kind',
    gateway,
    'kind: Service',
    'knd: Service',
    gateway,
    /without apiVersion, kind or name/,
  ],
  [
    'a liveness probe that looks at the database',
    gateway,
    'path: /alive',
    'path: /health',
    gateway,
    /does not ask \/alive/,
  ],
  [
    'a probe on the internal port',
    gateway,
    'path: /ready\n              port: http',
    'path: /ready\n              port: internal',
    gateway,
    /readinessProbe does not ask/,
  ],
  [
    'a port that is not listened on',
    gateway,
    'containerPort: 8080',
    'containerPort: 3000',
    gateway,
    /no containerPort/,
  ],
  [
    'too short a termination',
    relay,
    'terminationGracePeriodSeconds: 30',
    'terminationGracePeriodSeconds: 15',
    relay,
    /not longer than/,
  ],
  [
    'a container that may run as root',
    relay,
    'runAsNonRoot: true',
    'runAsNonRoot: false',
    relay,
    /may run as root/,
  ],
  ['no memory limit', relay, 'limits:', 'requests2:', relay, /requests2/],
  [
    'a reference to a secret that is nowhere',
    relay,
    'name: canvass-relay\n          ports',
    'name: canvass-rely\n          ports',
    relay,
    /Secret canvass-rely/,
  ],
  [
    'a Service that selects no pod',
    gateway,
    'selector:\n    app.kubernetes.io/name: gateway',
    'selector:\n    app.kubernetes.io/name: gate',
    gateway,
    /selects no pod/,
  ],
  [
    'an unknown key in a ConfigMap',
    'k8s/base/config.yaml',
    'Service__Hosting__DrainSeconds',
    'Service__Hosting__Drain',
    gateway,
    /Service:Hosting:Drain is not a known key/,
  ],
  [
    'a refused value in a ConfigMap',
    'k8s/base/config.yaml',
    "DrainSeconds: '5'",
    "DrainSeconds: 'five'",
    gateway,
    /Service:Hosting:DrainSeconds must be a number/,
  ],
  [
    'an address without a Service',
    'k8s/base/config.yaml',
    'http://identity-svc:8080\n',
    'http://identity:8080\n',
    gateway,
    /identity:8080, which no Service has/,
  ],
  [
    'a secret template without a key',
    'k8s/overlays/example/secrets/relay.env',
    'Service__Internal__Secret',
    'Service__Internal__Sekret',
    relay,
    /Service:Internal:Sekret is not a known key/,
  ],
  [
    'a resource that does not exist',
    'k8s/base/kustomization.yaml',
    '- gateway.yaml',
    '- getaway.yaml',
    'k8s/base/kustomization.yaml',
    /getaway\.yaml, which does not exist/,
  ],
  [
    'a file in no kustomization',
    'k8s/base/kustomization.yaml',
    '  - gateway.yaml\n',
    '',
    gateway,
    /in no kustomization/,
  ],
  [
    'an ingress to a service',
    'k8s/overlays/example/ingress.yaml',
    'name: gateway',
    'name: identity-svc',
    'k8s/overlays/example/ingress.yaml',
    /only the gateway/,
  ],
  [
    'a secret from a file that is not there',
    'k8s/overlays/example/kustomization.yaml',
    'secrets/relay.env',
    'secrets/rely.env',
    'k8s/overlays/example/kustomization.yaml',
    /does not exist/,
  ],
];

describe('the validation of the deployment files', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'canvass-deploy-'));
    for (const name of ['Dockerfile', compose, 'k8s'])
      cpSync(path.join(checkout, name), path.join(root, name), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('finds nothing wrong with the files as they are', async () => {
    const reports = await validateDeployment(checkout, { useKubectl: false });
    expect(reports.filter(({ faults }) => faults.length > 0)).toEqual([]);
    expect(reports.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['Dockerfile', compose, 'k8s/base/kustomization.yaml', gateway]),
    );
  });

  it.each(seeds)('finds %s', async (_what, file, from, to, blamed, says) => {
    const original = readFileSync(path.join(root, file), 'utf8');
    const changed = original.replace(from, () => to);
    expect(changed).not.toBe(original);
    writeFileSync(path.join(root, file), changed);

    const reports = await validateDeployment(root, { useKubectl: false });
    const faults = reports.find((report) => report.file === blamed)?.faults ?? [];
    expect(faults.join('\n')).toMatch(says);
  });
});
