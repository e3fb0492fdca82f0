import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../cluster/judge';
import type { PostgresPair } from '../cluster/postgres-pair';
import { namespace, type Client, type Pod } from './client';
import type { KubernetesCluster } from './cluster';

/** What faults happen to. */
export interface Setting {
  cluster: KubernetesCluster;
  postgres: PostgresPair;
}

export const nodeNames = ['node-1', 'node-2'] as const;
const [remaining, broken] = nodeNames;
const frozenService = 'submissions-svc';
const spreadAttempts = 5;
/** Longer than a liveness probe takes to restart a process. */
const silenceMs = 45_000;

export const faults: Record<string, Fault<Setting>> = {
  probes: {
    name: 'a frozen submissions-svc, restarted by its liveness probe',
    maxGapMs: 60_000,
    happen: freeze,
  },
  'database-silent': {
    name: 'database silent for 45 s, which restarts nothing',
    maxGapMs: 90_000,
    happen: silenceDatabase,
  },
  rollout: {
    name: 'rollout restart of all five services',
    maxGapMs: 10_000,
    withoutErrors: true,
    async happen({ cluster: { client } }) {
      await client.kubectl('--namespace', namespace, 'rollout', 'restart', 'deployment');
      await client.untilComplete();
    },
  },
  drain: {
    name: 'drain of a node',
    maxGapMs: 10_000,
    withoutErrors: true,
    async happen({ cluster: { client } }) {
      await client.kubectl('drain', broken, '--ignore-daemonsets', '--delete-emptydir-data');
      await client.untilComplete();
      await untilAllOn(client, remaining);
    },
    repair: async ({ cluster: { client } }) => void (await client.kubectl('uncordon', broken)),
  },
  'node-silent': {
    name: 'a node silent for good',
    maxGapMs: 60_000,
    async happen({ cluster }) {
      cluster.network.isolate(brokenOf(cluster));
      await cluster.client.untilNode(broken, false);
      await untilAllOn(cluster.client, remaining);
    },
    async repair({ cluster }) {
      cluster.network.heal(brokenOf(cluster));
      await cluster.client.untilNode(broken, true);
    },
  },
};

const brokenOf = ({ nodes }: KubernetesCluster) => nodes.find(({ name }) => name === broken)!;

const isReady = ({ status }: Pod): boolean => status.containerStatuses?.[0]?.ready === true;

/** Waits until a node has two copies of each service, which are ready. */
async function untilAllOn(client: Client, node: string): Promise<void> {
  const areThere = async () =>
    [...(await client.copies()).values()].every(
      (pods) => pods.length === 2 && pods.every((pod) => pod.spec.nodeName === node && isReady(pod)),
    );
  await client.until(areThere, `all copies ready on ${node}`);
}

/**
 * Suspends a process. The readiness probe must remove it from its service, and the liveness probe
 * must restart it.
 */
async function freeze({ cluster }: Setting): Promise<void> {
  const { client } = cluster;
  const pod = (await client.copies()).get(frozenService)![0]!;
  const { name } = pod.metadata;
  const { containerID, restartCount } = pod.status.containerStatuses![0]!;
  cluster.freeze(pod.spec.nodeName!, containerID!);
  const isOut = async () => !(await client.endpointsOf(frozenService)).includes(pod.status.podIP!);
  await client.until(isOut, `a ${frozenService} without an answer gets no requests`);
  const isBack = async () => {
    const found = (await client.pods()).find(({ metadata }) => metadata.name === name);
    return (
      found !== undefined && isReady(found) && found.status.containerStatuses![0]!.restartCount > restartCount
    );
  };
  await client.until(isBack, `a ${frozenService} without an answer is restarted`);
}

/** Cuts the database off for longer than probes are patient, and expects that they restart nothing. */
async function silenceDatabase({ cluster: { client, network }, postgres }: Setting): Promise<void> {
  const restarts = async () =>
    (await client.pods()).map(({ metadata, status }) => [
      metadata.name,
      status.containerStatuses?.[0]?.restartCount,
    ]);
  const before = JSON.stringify(await restarts());
  network.isolate(postgres.primary);
  await sleep(silenceMs);
  network.heal(postgres.primary);
  await client.untilComplete();
  const after = JSON.stringify(await restarts());
  if (after !== before) throw new Error(`the silent database restarted pods: ${before}, then ${after}`);
}

/**
 * Spreads the copies of each service over the nodes. After a rollout they may be on one: Kubernetes 1.20 also
 * counts those of the last version, because it does not know `matchLabelKeys`.
 */
export async function spread(client: Client): Promise<void> {
  for (let attempt = 0; attempt < spreadAttempts; attempt++) {
    await client.untilComplete();
    const crowded = [...(await client.copies()).values()].filter(
      (pods) => new Set(pods.map(({ spec }) => spec.nodeName)).size === 1,
    );
    if (crowded.length === 0) return;
    const names = crowded.map(([pod]) => pod!.metadata.name);
    console.log(`both copies are on one node, one of them is moved: ${names.join(', ')}`);
    await client.kubectl('--namespace', namespace, 'delete', 'pod', ...names);
  }
  throw new Error(`copies are on one node after ${spreadAttempts} attempts to spread them`);
}
