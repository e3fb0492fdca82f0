export { callerPath, createCallerResponder, type SendCaller } from './send-caller';
