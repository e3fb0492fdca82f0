import { leaveServers } from '../infra/shared-servers';

/**
 * Jest's globalTeardown: stops what globalSetup started, unless another test run of this checkout still
 * uses it.
 */
export default async function tearDown(): Promise<void> {
  await leaveServers();
}
