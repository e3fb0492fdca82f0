export { asyncApiDocument, eventsBoundBy, type AsyncApiDocument } from './document';
export { exampleConsumer } from './example-consumer';
