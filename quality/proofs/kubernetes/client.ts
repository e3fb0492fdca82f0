import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '@canvass/testing';

export const namespace = 'canvass';
/** Where `kubectl proxy` listens. */
export const proxyPort = 8001;
const changeMs = 600_000;

export interface Pod {
  metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
  spec: { nodeName?: string };
  status: {
    podIP?: string;
    containerStatuses?: {
      ready: boolean;
      restartCount: number;
      containerID?: string;
    }[];
  };
}

interface Deployment {
  metadata: { name: string; generation: number };
  spec: { replicas: number };
  status: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
  };
}

interface Node {
  metadata: { name: string };
  status: { conditions: { type: string; status: string }[] };
}

interface Service {
  metadata: { name: string };
  spec: { clusterIP: string };
}

/** The API server, by `kubectl` and by its proxy. */
export class Client {
  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** Runs `kubectl` and returns what it printed. @throws {Error} with what it printed when it fails */
  async kubectl(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('kubectl', args, { env: this.env, maxBuffer: 1e8 });
    return stdout.trim();
  }

  pods = (): Promise<Pod[]> => this.list('/api/v1', 'pods');
  services = (): Promise<Service[]> => this.list('/api/v1', 'services');

  /** The addresses that a service leads to. */
  async endpointsOf(service: string): Promise<string[]> {
    const { subsets = [] } = await this.ask<{ subsets?: { addresses?: { ip: string }[] }[] }>(
      `/api/v1/namespaces/${namespace}/endpoints/${service}`,
    );
    return subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip));
  }

  /** The pods of the services that are not ending, by the name of their service. */
  async copies(): Promise<Map<string, Pod[]>> {
    const deployments = await this.deployments();
    const pods = (await this.pods()).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    return new Map(
      deployments.map(({ metadata: { name } }) => [
        name,
        pods.filter(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === name),
      ]),
    );
  }

  /** Waits until every deployment has all its copies, of the last version, and they serve. */
  async untilComplete(): Promise<void> {
    const isComplete = async () =>
      (await this.deployments()).every(({ metadata, spec: { replicas }, status }) => {
        const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
        return status.observedGeneration === metadata.generation && counts.every((each) => each === replicas);
      });
    await this.until(isComplete, 'all deployments complete');
  }

  /** Waits until a node is ready, or not. */
  async untilNode(name: string, isReady: boolean): Promise<void> {
    const isSo = async () => {
      const { status } = await this.ask<Node>(`/api/v1/nodes/${name}`);
      const condition = status.conditions.find(({ type }) => type === 'Ready');
      return (condition?.status === 'True') === isReady;
    };
    await this.until(isSo, `${name} ${isReady ? 'ready' : 'not ready'}`);
  }

  /** Asks twice a second, because answers cost processor time that the pods need. */
  async until(isSo: () => Promise<boolean>, message: string): Promise<void> {
    const ask = async () => (await isSo()) || (await sleep(300), false);
    await eventually(ask, { timeoutMs: changeMs, message });
  }

  private deployments = (): Promise<Deployment[]> => this.list('/apis/apps/v1', 'deployments');

  private async list<T>(group: string, kind: string): Promise<T[]> {
    return (await this.ask<{ items: T[] }>(`${group}/namespaces/${namespace}/${kind}`)).items;
  }

  private async ask<T>(resource: string): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${proxyPort}${resource}`, {
      signal: AbortSignal.timeout(10_000),
    });
    if (!answer.ok) throw new Error(`${resource} answered ${answer.status}`);
    return (await answer.json()) as T;
  }
}
