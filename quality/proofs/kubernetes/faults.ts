import { namespace, type Client, type Pod } from './client';
import type { KubernetesCluster } from './cluster';

interface Fault {
  name: string;
  /** Longest time without an acknowledged write that is allowed, in milliseconds. */
  mostGapMs: number;
  withoutErrors?: true;
  /** Does something to the cluster and resolves when it has come to rest. */
  happen(cluster: KubernetesCluster, manifests: string): Promise<void>;
  /** Makes the cluster complete again, after the judgement. */
  repair?(cluster: KubernetesCluster): Promise<void>;
}

export const nodeNames = ['node-1', 'node-2'] as const;
const [remaining, broken] = nodeNames;
const frozenService = 'submissions-svc';
const spreadAttempts = 5;

export const faults: Record<string, Fault> = {
  apply: {
    name: 'the same manifests applied again',
    mostGapMs: 10_000,
    withoutErrors: true,
    async happen({ client }, manifests) {
      const lines = (await client.kubectl('apply', '--filename', manifests)).split('\n');
      const changed = lines.filter((line) => !line.endsWith(' unchanged'));
      if (changed.length > 0) throw new Error(`applied again, this is not unchanged:\n${changed.join('\n')}`);
      await client.untilComplete();
    },
  },
  probes: {
    name: 'a frozen submissions-svc, restarted by its liveness probe',
    mostGapMs: 60_000,
    happen: freeze,
  },
  rollout: {
    name: 'rollout restart of all five services',
    mostGapMs: 10_000,
    withoutErrors: true,
    async happen({ client }) {
      await client.kubectl('--namespace', namespace, 'rollout', 'restart', 'deployment');
      await client.untilComplete();
    },
  },
  drain: {
    name: 'drain of a node',
    mostGapMs: 10_000,
    withoutErrors: true,
    async happen({ client }) {
      await client.kubectl('drain', broken, '--ignore-daemonsets', '--delete-emptydir-data');
      await client.untilComplete();
      await untilAllOn(client, remaining);
    },
    repair: async ({ client }) => void (await client.kubectl('uncordon', broken)),
  },
  'node-silent': {
    name: 'a node silent for good',
    mostGapMs: 60_000,
    async happen({ client, network, nodes }) {
      network.isolate(nodes.find(({ name }) => name === broken)!);
      await client.untilNode(broken, false);
      await untilAllOn(client, remaining);
    },
    async repair({ client, network, nodes }) {
      network.heal(nodes.find(({ name }) => name === broken)!);
      await client.untilNode(broken, true);
    },
  },
};

const isReady = ({ status }: Pod): boolean => status.containerStatuses?.[0]?.ready === true;

/** Waits until a node has two copies of each service, which are ready. */
async function untilAllOn(client: Client, node: string): Promise<void> {
  const areThere = async () =>
    [...(await client.copies()).values()].every(
      (pods) => pods.length === 2 && pods.every((pod) => pod.spec.nodeName === node && isReady(pod)),
    );
  await client.until(areThere, `all copies ready on ${node}`);
}

/** Stops a process without an end, and expects what its probes then do. */
async function freeze(cluster: KubernetesCluster): Promise<void> {
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
  const events = (await client.events()).filter(({ involvedObject }) => involvedObject.name === name);
  for (const expected of [/^Readiness probe failed/, /^Liveness probe failed/, /failed liveness probe/]) {
    if (!events.some(({ message }) => expected.test(message)))
      throw new Error(`No event of ${name} says ${expected}: ${JSON.stringify(events)}`);
  }
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
    await client.kubectl('--namespace', namespace, 'delete', 'pod', ...names);
  }
  throw new Error(`copies are on one node after ${spreadAttempts} attempts to spread them`);
}
