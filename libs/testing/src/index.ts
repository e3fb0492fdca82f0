export { checkCorpus, type CheckCase } from './answer-check/check-corpus';
export { clientCredentials, clientOf, login, proofOf, type Answer, type Client } from './api-client';
export { reachable, refusedLiterals, refusedNames, type NameCase } from './address-corpus';
export { behindLock } from './behind-lock';
export { brokerManagement } from './broker-management';
export { buildBundle } from './bundle';
export { prove, type Claim } from './claims';
export { testServers, type TestServers } from './config';
export { expectMalformedEvents } from './event-check';
export { openStream, textOf, type OpenStream } from './event-stream';
export { eventually, type EventuallyOptions } from './eventually';
export { FaultyProxy, type ProxyFault } from './faulty-proxy';
export { apiOf, dataOf, type Api } from './gateway-api';
export { testProxy, type TestProxy } from './http-proxy';
export { walkByKey, type KeyPageReply } from './key-pages';
export { freePort, listen, type Listening } from './listen';
export { markdownTable } from './markdown';
export { createRandom, type Random } from './random';
export { selfSigned } from './self-signed';
export { smtpServer, type SmtpServer } from './smtp-server';
export { stalls, rawTcpServer, type Stall } from './stalls';
export {
  openIdConnectProvider,
  type OpenIdConnectOptions,
  type OpenIdConnectProvider,
} from './openid-connect/openid-connect-provider';
export { median, pairedRatio, percentile } from './statistics';
export { testDatabase, type TestDatabase, type TestDatabaseOptions } from './test-database';
export {
  newRsaKeys,
  testIssuer,
  type TestIssuer,
  type TestIssuerOptions,
  type TokenClaims,
  type TokenOptions,
} from './test-issuer';
export { testRedis, type TestRedis } from './test-redis';
export { testVhost, type TestVhost } from './test-vhost';
export { webhookSink, type ReceivedRequest, type SinkAnswer, type WebhookSink } from './webhook-sink';
