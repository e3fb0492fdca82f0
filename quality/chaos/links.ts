import path from 'node:path';
import { PortBook } from '@canvass/infra';
import { loadSecrets, type ServiceEnvironments, type ServiceName, serviceNames } from '@canvass/stack';
import { linkNames, type LinkName } from './plan';
import { FaultyProxy } from '@canvass/testing';

/** The harness's proxies between the processes. */
export interface Links {
  proxies: Record<LinkName, FaultyProxy>;
  /** Makes the services use the proxies. */
  env: ServiceEnvironments;
  close(): Promise<void>;
}

/** Which ports of the stack a link leads to, by their names in its port book. */
const targets: Record<LinkName, readonly string[]> = {
  'submissions>postgres': ['postgres'],
  'datalists>postgres': ['postgres'],
  'relay>postgres': ['postgres'],
  'identity>postgres': ['postgres'],
  'submissions>rabbitmq': ['amqp'],
  'datalists>rabbitmq': ['amqp'],
  'relay>rabbitmq': ['amqp'],
  'gateway>submissions': ['submissions-svc', 'submissions-svc-2'],
  'gateway>datalists': ['datalists-svc'],
  'gateway>identity': ['identity-svc'],
  'relay>submissions': ['submissions-svc-internal', 'submissions-svc-2-internal'],
};

/** Opens the proxies of a stack that keeps its ports and secrets in `dir`; it need not run yet. */
export async function openLinks(dir: string): Promise<Links> {
  const portOf = (name: string) => new PortBook(path.join(dir, 'ports.json')).remembered(name);
  const open = linkNames.map((name) => {
    const proxy = new FaultyProxy(() => targets[name].map(portOf).filter((port) => port !== undefined));
    return [name, proxy] as const;
  });
  const ports = new Map<LinkName, number>();
  for (const [name, proxy] of open) ports.set(name, await proxy.listen());
  const secrets = loadSecrets(dir, serviceNames);
  const http = (link: LinkName) => `http://127.0.0.1:${ports.get(link)!}`;
  const broker = (link: LinkName) => ({
    Service__Broker__Url: `amqp://guest:guest@127.0.0.1:${ports.get(link)!}`,
  });
  const database = (link: LinkName, service: ServiceName, role: string) => ({
    Service__Database__Url: `postgres://${role}:${secrets.rolePasswords[service] ?? ''}@127.0.0.1:${ports.get(link)!}/postgres`,
  });
  const env: ServiceEnvironments = {
    'identity-svc': database('identity>postgres', 'identity-svc', 'canvass_identity'),
    'submissions-svc': {
      ...database('submissions>postgres', 'submissions-svc', 'canvass_submissions'),
      ...broker('submissions>rabbitmq'),
    },
    'datalists-svc': {
      ...database('datalists>postgres', 'datalists-svc', 'canvass_datalists'),
      ...broker('datalists>rabbitmq'),
    },
    'webhook-relay-svc': {
      ...database('relay>postgres', 'webhook-relay-svc', 'canvass_webhooks'),
      ...broker('relay>rabbitmq'),
      Service__Settings__BaseUrl: http('relay>submissions'),
    },
    gateway: {
      Service__Gateway__Services__Submissions: http('gateway>submissions'),
      Service__Gateway__Services__DataLists: http('gateway>datalists'),
      Service__Gateway__Services__Identity: http('gateway>identity'),
    },
  };
  return {
    proxies: Object.fromEntries(open) as Record<LinkName, FaultyProxy>,
    env,
    async close() {
      await Promise.all(open.map(([, proxy]) => proxy.close()));
    },
  };
}
