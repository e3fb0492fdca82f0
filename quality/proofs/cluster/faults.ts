import { setTimeout as sleep } from 'node:timers/promises';
import { queues } from '@canvass/contracts';
import type { Brokers } from './brokers';
import type { Fault } from './judge';
import type { Host, Network } from './network';
import type { PostgresPair } from './postgres-pair';

export interface Cluster {
  network: Network;
  brokers: Brokers;
  postgres: PostgresPair;
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

async function silent({ network }: Cluster, host: Host, ms: number): Promise<void> {
  network.isolate(host);
  await sleep(ms);
  network.heal(host);
}

let brokenNode: Host;

async function restartNode({ brokers }: Cluster): Promise<void> {
  await brokers.startNode(brokenNode);
  await brokers.untilComplete();
}

export const faults: Record<string, Fault<Cluster>> = {
  'leader-killed': {
    name: 'kill -9 of the RabbitMQ node that leads the queue',
    maxGapMs: 10_000,
    async happen({ brokers }) {
      brokenNode = await brokers.leaderOf(queues.webhookEvents);
      brokers.kill(brokenNode);
    },
    repair: restartNode,
  },
  'primary-killed': {
    name: 'kill -9 of the primary, standby promoted',
    maxGapMs: 20_000,
    async happen(cluster) {
      cluster.postgres.kill(cluster.postgres.primary);
      await failOver(cluster);
    },
    // The former primary loses its data and becomes the standby.
    repair: ({ postgres }) => postgres.addStandby(),
  },
  'primary-silent': {
    name: 'primary silent, standby promoted at another address',
    maxGapMs: 60_000,
    async happen(cluster) {
      cluster.network.isolate(cluster.postgres.primary);
      await failOver(cluster);
    },
    async repair({ network, postgres }) {
      postgres.kill(postgres.standby);
      network.heal(postgres.standby);
      await postgres.addStandby();
    },
  },
  'broker-silent': {
    name: 'RabbitMQ node that leads the queue silent for 66 s',
    maxGapMs: 10_000,
    async happen(cluster) {
      brokenNode = await cluster.brokers.leaderOf(queues.webhookEvents);
      await silent(cluster, brokenNode, 66_000);
    },
    async repair(cluster) {
      // It may have noticed the silence on one side only, and then needs an operator.
      cluster.brokers.kill(brokenNode);
      await restartNode(cluster);
    },
  },
};
