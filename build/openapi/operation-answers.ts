import type { HttpOperation } from '@canvass/service-kit';
import { AnswerCheck, type SentAnswer } from './answer-check';
import { documentOf } from './document';
import { pathTemplateOf } from './operation';

const checks = new WeakMap<HttpOperation, AnswerCheck>();

/**
 * Holds an answer to the definition of its operation, through the document that is made from it; objects
 * may have no member that the document does not name.
 *
 * @returns one line for each fault, each naming operation and status
 */
export function answerFaults(operation: HttpOperation, answer: SentAnswer): string[] {
  if (operation.answers === null) return [];
  let check = checks.get(operation);
  if (check === undefined) {
    const document = documentOf([operation], { version: '0', answers: 'closed' });
    checks.set(operation, (check = new AnswerCheck(document)));
  }
  return check
    .faults(operation.method, pathTemplateOf(operation.path), answer)
    .map((fault) => `${operation.operationId} ${answer.status}: ${fault}`);
}
