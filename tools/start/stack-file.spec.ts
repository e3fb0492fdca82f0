import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PortBook } from '../infra';
import { bootstrapTenants } from './demo-logins';
import { loadSecrets } from './secrets';
import { ServiceSet } from './service-set';
import { serviceEnvironment, serviceNames, type StackAddresses } from './services';
import { readStackFile, writeStackFile, type StackFile } from './stack-file';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'stack-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const copy = (port: number) => ({
  url: `http://127.0.0.1:${port}`,
  metricsUrl: `http://127.0.0.1:${port + 1}/metrics`,
  pid: null,
});

const example: StackFile = {
  gatewayUrl: 'http://127.0.0.1:20010',
  services: {
    'identity-svc': copy(20_000),
    'submissions-svc': copy(20_002),
    'datalists-svc': copy(20_004),
    'webhook-relay-svc': copy(20_006),
    gateway: copy(20_010),
  },
  replicas: { 'webhook-relay-svc': [copy(20_008)] },
  databaseUrl: 'postgres://postgres:x@127.0.0.1:20020/postgres',
  amqpUrl: 'amqp://guest:guest@127.0.0.1:20021',
  amqpManagementUrl: null,
  infra: { postgres: { pid: 1 }, rabbitmq: { pid: 2 } },
  supervisorPid: 3,
  demo: {
    tenantId: '1',
    adminEmail: 'a@example.org',
    adminPassword: 'p',
    serviceAccount: { clientId: 'c', clientSecret: 's' },
    otherTenant: {
      tenantId: '2',
      adminEmail: 'b@example.org',
      adminPassword: 'q',
      serviceAccount: { clientId: 'd', clientSecret: 't' },
    },
  },
};

describe('stack.json', () => {
  it('reads back as it was written, is private and leaves no draft behind', () => {
    writeStackFile(dir, example);
    expect(readStackFile(dir)).toEqual(example);
    expect(statSync(path.join(dir, 'stack.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['stack.json']);
  });

  it('is absent while nothing runs', () => {
    expect(readStackFile(dir)).toBeNull();
  });
});

describe('the secrets of a stack', () => {
  it('are made once, differ per service and are readable by their owner only', () => {
    const made = loadSecrets(dir, serviceNames);
    expect(loadSecrets(dir, serviceNames)).toEqual(made);
    expect(new Set(Object.values(made.rolePasswords)).size).toBe(serviceNames.length);
    expect(new Set(Object.values(made.encryptionKeys)).size).toBe(serviceNames.length);
    expect(statSync(path.join(dir, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  it('are not handed to services that have no use for them', () => {
    const secrets = loadSecrets(dir, serviceNames);
    const urls = Object.fromEntries(
      serviceNames.map((name, index) => {
        const url = `http://127.0.0.1:${index}`;
        return [name, { url, internalUrl: `http://127.0.0.1:1${index}`, copies: [url] }];
      }),
    ) as StackAddresses['urls'];
    const stack: StackAddresses = {
      urls,
      amqpUrl: 'amqp://admin:a@x/host',
      amqpManagementUrl: 'http://admin:a@x',
      databaseUrl: 'postgres://postgres@x/postgres',
    };
    const gateway = JSON.stringify(
      serviceEnvironment('gateway', { port: 1, internalPort: 2 }, stack, secrets),
    );
    expect(gateway).not.toContain(secrets.internalSecret);
    expect(gateway).not.toContain('postgres://');
    const lists = JSON.stringify(
      serviceEnvironment('datalists-svc', { port: 1, internalPort: 2 }, stack, secrets),
    );
    expect(lists).not.toContain(secrets.encryptionKeys['submissions-svc']);
    expect(lists).toContain(
      `postgres://${secrets.prefix}_datalists:${secrets.rolePasswords['datalists-svc']}@x`,
    );
    expect(lists).toContain(
      `amqp://${secrets.prefix}_datalists:${secrets.brokerPasswords['datalists-svc']}@x/host`,
    );
    expect(lists).not.toContain('admin');
  });

  it('open two tenants with an administrator and a service account each', () => {
    const secrets = loadSecrets(dir, serviceNames);
    expect(bootstrapTenants(secrets)).toMatchObject([
      { AdminPassword: secrets.adminPassword, ServiceAccount: { ClientSecret: secrets.clientSecret } },
      {
        AdminPassword: secrets.otherAdminPassword,
        ServiceAccount: { ClientSecret: secrets.otherClientSecret },
      },
    ]);
  });
});

describe('the processes of a stack', () => {
  it('names those it has when asked for another', () => {
    const services = new ServiceSet({
      dir,
      ports: new PortBook(path.join(dir, 'ports.json')),
      secrets: loadSecrets(dir, serviceNames),
      say: () => undefined,
      changed: () => undefined,
    });
    expect(() => services.signal('console', 'SIGKILL')).toThrow(/there is no process "console"/);
  });
});
