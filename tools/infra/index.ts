export { serverHome } from './account';
export { acquireInfra, livingServers, privateServers, type Infra } from './acquire';
export { checkoutDir, localDir, messageOf, readJson, SetupError, tail, writeJson } from './checkout';
export { removeComposeServers } from './compose';
export { lockHolder, tryLock } from './file-lock';
export { PortBook } from './ports';
export type { GivenUrls, InfraOptions, InfraServer } from './private-server';
export { launch, PidFile, signalProcess, startTimeOf, terminate } from './processes';
export { joinServers, leaveServers } from './shared-servers';
