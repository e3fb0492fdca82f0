export type { Operation, OperationOption, OperationResult, OptionValues } from './operation';
export { operationStatus, runOperation, type OperatorTerminal } from './run-operation';
