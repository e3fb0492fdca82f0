import { setTimeout as sleep } from 'node:timers/promises';
import { queues } from '@canvass/contracts';
import type { Brokers } from './brokers';
import type { Host, Network } from './network';
import type { PostgresPair } from './postgres-pair';

export interface Cluster {
  network: Network;
  brokers: Brokers;
  postgres: PostgresPair;
  /** Of the second copy of submissions-svc. */
  secondCopy: Host;
}

export interface Fault {
  name: string;
  /** Longest time without an acknowledged write that is allowed, in milliseconds. */
  mostGapMs: number;
  /** Breaks something and resolves when the fault is over, which is not when its effects are. */
  happen(cluster: Cluster): Promise<void>;
  /** Makes the cluster complete again, after the judgement. */
  repair(cluster: Cluster): Promise<void>;
}

/** The name by which the services know the primary. */
export const databaseName = 'database';
const failoverMs = 2_000;

/** After a primary that is dead or silent: the standby gets its name and its work. */
async function failOver({ network, postgres }: Cluster): Promise<void> {
  await sleep(failoverMs);
  await postgres.promote();
  network.resolve(databaseName, postgres.primary);
}

/** The former primary loses its data and becomes the standby. */
async function rejoin({ postgres }: Cluster): Promise<void> {
  await postgres.addStandby();
}

async function silent({ network }: Cluster, host: Host, ms: number): Promise<void> {
  network.isolate(host);
  await sleep(ms);
  network.heal(host);
}

let brokenNode: Host;
const nothing = () => Promise.resolve();

export const faults: Record<string, Fault> = {
  'leader-killed': {
    name: 'kill -9 of the RabbitMQ node that leads the queue',
    mostGapMs: 10_000,
    async happen({ brokers }) {
      brokenNode = await brokers.leaderOf(queues.webhookEvents);
      brokers.kill(brokenNode);
    },
    async repair({ brokers }) {
      await brokers.startNode(brokenNode);
      await brokers.untilComplete();
    },
  },
  'primary-killed': {
    name: 'kill -9 of the primary, standby promoted',
    mostGapMs: 20_000,
    async happen(cluster) {
      cluster.postgres.kill(cluster.postgres.primary);
      await failOver(cluster);
    },
    repair: rejoin,
  },
  'primary-silent': {
    name: 'primary silent, standby promoted at another address',
    mostGapMs: 60_000,
    async happen(cluster) {
      cluster.network.isolate(cluster.postgres.primary);
      await failOver(cluster);
    },
    async repair(cluster) {
      const { network, postgres } = cluster;
      postgres.kill(postgres.standby);
      network.heal(postgres.standby);
      await rejoin(cluster);
    },
  },
  'broker-silent': {
    name: 'RabbitMQ node that leads the queue silent for 66 s',
    mostGapMs: 10_000,
    async happen(cluster) {
      brokenNode = await cluster.brokers.leaderOf(queues.webhookEvents);
      await silent(cluster, brokenNode, 66_000);
    },
    async repair({ brokers }) {
      // It may have noticed the silence on one side only, and then needs an operator.
      brokers.kill(brokenNode);
      await brokers.startNode(brokenNode);
      await brokers.untilComplete();
    },
  },
  'service-silent': {
    name: 'one of two submissions-svc silent',
    mostGapMs: 45_000,
    happen({ network, secondCopy }) {
      network.isolate(secondCopy);
      return nothing();
    },
    repair({ network, secondCopy }) {
      network.heal(secondCopy);
      return nothing();
    },
  },
  'standby-silent': {
    name: 'synchronous standby silent for 44 s',
    mostGapMs: 70_000,
    happen: (cluster) => silent(cluster, cluster.postgres.standby, 44_000),
    repair: nothing,
  },
  'database-silent': {
    name: 'database silent for 45 s, no failover',
    mostGapMs: 90_000,
    happen: (cluster) => silent(cluster, cluster.postgres.primary, 45_000),
    repair: nothing,
  },
  'packets-lost': {
    name: '10 % of the packets of the primary and of a RabbitMQ node lost for 20 s',
    mostGapMs: 15_000,
    async happen({ network, brokers, postgres }) {
      const hosts = [postgres.primary, await brokers.leaderOf(queues.webhookEvents)];
      for (const host of hosts) network.lose(host, 10);
      await sleep(20_000);
      for (const host of hosts) network.loseNothing(host);
    },
    repair: nothing,
  },
  'address-taken-over': {
    name: 'primary gone, standby promoted at its address',
    mostGapMs: 20_000,
    async happen({ network, postgres }) {
      const former = postgres.primary;
      network.isolate(former);
      postgres.kill(former);
      await sleep(failoverMs);
      await postgres.promote();
      network.takeOver(former, postgres.primary);
    },
    repair: nothing,
  },
};
