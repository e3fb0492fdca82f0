export { readConfiguration, type Configuration } from './configuration';
export { Fault, faultOf, noAnswer, type Violation } from './fault';
