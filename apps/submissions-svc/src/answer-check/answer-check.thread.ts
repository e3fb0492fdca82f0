import { parentPort } from 'node:worker_threads';
import type { CheckReply, CheckRequest } from './messages';
import { checkAnswers, modelOf, prepareSurveys, type CheckedModel } from './survey-check';

// A thread of the pool. It has no network, and what survey-core warns about may have answers.

const maxModels = 50;
/** Characters of the definitions whose models are kept. */
const maxSize = 4_000_000;

/** Models by form and revision, the one that was used last at the end. */
const models = new Map<string, CheckedModel & { size: number }>();

const silent = Object.fromEntries(Object.keys(console).map((name) => [name, () => undefined]));
Object.assign(console, silent);
for (const name of ['fetch', 'WebSocket', 'EventSource'])
  Object.defineProperty(globalThis, name, { value: undefined });
prepareSurveys();

function keep(key: string, definition: string): CheckedModel {
  const made = { ...modelOf(definition), size: definition.length };
  models.set(key, made);
  let size = [...models.values()].reduce((sum, each) => sum + each.size, 0);
  for (const [oldest, { size: freed }] of models) {
    if (models.size === 1 || (models.size <= maxModels && size <= maxSize)) break;
    models.delete(oldest);
    size -= freed;
  }
  return made;
}

function reply({ key, definition, answers }: CheckRequest): CheckReply {
  const known = models.get(key);
  models.delete(key);
  if (known) models.set(key, known);
  else if (definition === null) return { kind: 'missing' };
  try {
    const made = known ?? keep(key, definition!);
    return { kind: 'checked', hasQuestions: made.hasQuestions, ...checkAnswers(made, answers) };
  } catch {
    models.delete(key);
    return { kind: 'failed' };
  }
}

const send = (message: CheckReply) => parentPort!.postMessage(message);
parentPort!.on('message', (request: CheckRequest) => send(reply(request)));
send({ kind: 'ready' });
