export { fuzz } from '../../../quality/proofs/fuzz';
