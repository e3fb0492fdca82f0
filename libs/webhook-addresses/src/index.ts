export { createAddressPolicy, type AddressPolicy, type AddressVerdict } from './address-policy';
export { ConnectFault } from './connect-fault';
export {
  createConnector,
  noConnect,
  type ClientCertificate,
  type Connect,
  type Connecting,
  type Connector,
} from './connector';
export { describedUrl, endpointSchema, ignoredApiKey, webhookUrl } from './endpoint-schema';
export { createProxy, type Proxy } from './proxy';
export { proxyKeys, type ProxyRules } from './proxy-settings';
export { resolveEndpoint } from './resolve-endpoint';
export { targetKeys, type TargetSettings } from './target-settings';
export { systemResolver, type Resolver } from './system-resolver';
export { checkWebhookUrl, parseWebhookUrl, type UrlVerdict } from './webhook-url';
