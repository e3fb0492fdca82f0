export { transferRoutes, type TransferLimits } from './transfer.routes';
