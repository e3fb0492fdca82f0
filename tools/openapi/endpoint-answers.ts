import type { Endpoint } from '@canvass/service-kit';
import { AnswerCheck, type SentAnswer } from './answer-check';
import { documentOf } from './document';
import { pathTemplateOf } from './operation';

const checks = new WeakMap<Endpoint, AnswerCheck>();

/**
 * Holds an answer to the definition of its endpoint, through the document that is made from it; objects may have no
 * member that the document does not name.
 *
 * @returns one line for each fault, each naming operation and status
 */
export function answerFaults(endpoint: Endpoint, answer: SentAnswer): string[] {
  if (endpoint.answers === undefined) return [];
  let check = checks.get(endpoint);
  if (check === undefined) {
    const document = documentOf([endpoint], { version: '0', answers: 'closed' });
    checks.set(endpoint, (check = new AnswerCheck(document)));
  }
  return check
    .faults(endpoint.method, pathTemplateOf(endpoint.path), answer)
    .map((fault) => `${endpoint.operationId} ${answer.status}: ${fault}`);
}
