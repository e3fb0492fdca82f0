export { createRetention, runRetention } from './retention';
