export { asyncApiDocument, type AsyncApiDocument } from './document';
