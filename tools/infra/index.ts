export { acquireInfra } from './acquire';
export type { GivenUrls, Infra, InfraOptions } from './infra';
export { removeComposeServers } from './compose';
export { checkoutDir, localDir } from './checkout';
export { readJson, writeJson } from './atomic-file';
export { lockHolder, tryLock, withLock } from './file-lock';
export { launch } from './launch';
export { isFree, PortBook } from './ports';
export { serverHome } from './account';
export { privateServers } from './private-servers';
export { tail, type InfraServer } from './private-server';
export {
  isAlive,
  PidFile,
  recordOf,
  signalProcess,
  startTimeOf,
  terminate,
  waitForExit,
  type ProcessRecord,
} from './process-record';
export { redisBinary } from './redis-binary';
export { abandonServers, joinServers, leaveServers } from './shared-servers';
export { SetupError } from './setup-error';
export { livingServers } from './stoppable';
