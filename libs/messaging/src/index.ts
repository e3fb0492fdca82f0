export { backOff } from './back-off';
export type {
  Broker,
  BrokerState,
  Consumer,
  IncomingMessage,
  Log,
  Mailbox,
  Outcome,
  OutgoingMessage,
  PublishResult,
} from './broker';
export { brokerCheck, type BrokerCheck } from './broker-check';
export { createBroker, type BrokerOptions } from './create-broker';
export { discardMessages, visitDeadLetters, type DeadLetter, type Verdict } from './dead-letters';
export { observeBroker, type BrokerMetrics } from './observe-broker';
export { provisionBroker, virtualHostOf, type ProvisionedBroker } from './provision-broker';
export { brokerSettingsSchema, type BrokerSettings } from './settings';
