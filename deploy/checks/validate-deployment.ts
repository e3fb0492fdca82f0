import { checkCompose } from './compose';
import { checkDockerfile } from './dockerfile';
import type { Fault } from './fault';
import { checkKubernetes } from './kubernetes';
import { checkVersions } from './versions';

export interface FileReport {
  file: string;
  /** Empty: nothing was found wrong. */
  faults: string[];
}

/**
 * Checks the Dockerfile, docker-compose.yml and everything below `k8s/` without an engine, a cluster or a network.
 *
 * @param root the folder that holds them
 * @param options `useKubectl`: build the kustomizations too, where there is a kubectl
 */
export async function validateDeployment(root: string, { useKubectl = true } = {}): Promise<FileReport[]> {
  const kubernetes = await checkKubernetes(root, useKubectl);
  const faults: Fault[] = [
    ...checkDockerfile(root),
    ...(await checkCompose(root)),
    ...kubernetes.faults,
    ...checkVersions(root),
  ];
  const files = new Set([
    'Dockerfile',
    'docker-compose.yml',
    ...kubernetes.files,
    ...faults.map(({ file }) => file),
  ]);
  return [...files].map((file) => ({
    file,
    faults: faults.filter((fault) => fault.file === file).map(({ message }) => message),
  }));
}
