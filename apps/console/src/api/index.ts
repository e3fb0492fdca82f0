export { Fault, faultOf, noAnswer } from './fault';
