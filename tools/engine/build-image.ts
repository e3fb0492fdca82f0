import { checkoutDir } from '../infra';
import type { Engine } from './engine';

/**
 * Builds the Dockerfile of a checkout. The engine must have the network of this machine: the build installs
 * packages of npm. What has not changed comes from the cache of the engine.
 *
 * @param nodeImage base of the image
 * @param checkout folder with the Dockerfile
 */
export async function buildImage(
  engine: Engine,
  nodeImage: string,
  tag: string,
  checkout = checkoutDir,
): Promise<void> {
  await engine.dockerIn(
    checkout,
    'build',
    '--network=host',
    '--progress=plain',
    `--build-arg=NODE_IMAGE=${nodeImage}`,
    `--tag=${tag}`,
    '.',
  );
}
