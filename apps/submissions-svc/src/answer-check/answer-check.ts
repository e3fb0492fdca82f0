import { Problem, validationProblem, type FieldErrors } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import type { Logger, Metrics } from '@canvass/service-kit';
import type { ReadListLabels } from '../list-labels';
import { readDefinition, type CheckedForm } from './checked-form.sql';
import type { AnswerFault, ListValues, WordedFault } from './messages';
import type { AnswerCheckSettings } from './settings';
import { LimitExceeded, WorkerPool } from './worker-pool';

export interface AnswerCheck {
  /**
   * Checks answers by the definition of their form. Must not run while a lock is held.
   *
   * @param answers JSON text
   * @returns JSON text of the faults to store with them (`AnswerFault[]`); null: they were not checked
   * @throws {Problem} with `enforce`: `validation_failed` with a violation for each question, and
   * `answer_check_unavailable` or `service_unavailable` if they cannot be checked now
   */
  check(form: CheckedForm, answers: string): Promise<string | null>;
  start(): void;
  stop(): Promise<void>;
}

/** Definitions without a question that are remembered. */
const maxPlain = 10_000;

class Refused extends Error {}

class NoQuestions extends Error {}

function withoutQuestions(error: unknown): null {
  if (error instanceof NoQuestions) return null;
  throw error;
}

export function createAnswerCheck(
  settings: AnswerCheckSettings,
  {
    db,
    readListLabels,
    logger,
    metrics,
  }: { db: Queryable; readListLabels: ReadListLabels; logger: Logger; metrics: Metrics },
): AnswerCheck {
  const pool = new WorkerPool(settings);
  const checks = metrics.counter<'mode' | 'outcome'>({
    name: 'answer_checks_total',
    help: 'Checks of completions by the mode of the form and the outcome: passed, failed, unchecked (none of SurveyJS), limit, refused (soon after a limit), unavailable.',
    labels: ['mode', 'outcome'],
  });
  const seconds = metrics.histogram({
    name: 'answer_check_duration_seconds',
    help: 'Seconds of a check, with its wait for a thread and for datalists-svc.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  });
  /** Ids of forms that are refused for a while. */
  const refused = new Set<string>();
  /** Forms at a revision whose definition has no questions. */
  const plain = new Set<string>();

  const assertMayRun = ({ id }: CheckedForm) => {
    if (refused.has(id)) throw new Refused('A check of the form exceeded its limit.');
  };

  /** Null: the form has no questions of SurveyJS. */
  async function faultsOf(form: CheckedForm, answers: string): Promise<WordedFault[] | null> {
    const { tenantId, id, revision, mode } = form;
    const key = `${id}:${revision}`;
    if (mode === 'report' && plain.has(key)) return null;
    assertMayRun(form);
    const read = async () => {
      const [found] = await db.query(readDefinition({ tenantId, id }));
      // Most definitions of other form runtimes need no thread.
      if (mode === 'report' && !found!.text.includes('"type"')) throw new NoQuestions();
      return found!.text;
    };
    const job = { tenantId, formId: id, key, answers, readDefinition: read };
    const reply = await pool.check(job, () => assertMayRun(form)).catch(withoutQuestions);
    if (reply?.kind === 'failed') throw new Error('The definition cannot be read.');
    if (!reply || (mode === 'report' && !reply.hasQuestions)) {
      if (plain.size >= maxPlain) plain.clear();
      plain.add(key);
      return null;
    }
    return [...reply.faults, ...(await unknownValues(tenantId, reply))];
  }

  /** Asks for all values of lists at once. A question has one fault. */
  async function unknownValues(
    tenantId: string,
    { lists, faults }: { lists: ListValues[]; faults: WordedFault[] },
  ): Promise<WordedFault[]> {
    if (lists.length === 0) return [];
    const asked = new Map<string, Set<string>>();
    for (const { list, values } of lists) asked.set(list, new Set([...(asked.get(list) ?? []), ...values]));
    const known = await readListLabels({ tenantId, locale: '', lists: asked });
    const has = (list: string, value: string) => typeof known.get(list)?.get(value)?.current === 'string';
    const names = new Set(faults.map(({ question }) => question));
    return lists.flatMap(({ question, list, values }) => {
      if (names.has(question) || values.every((value) => has(list, value))) return [];
      names.add(question);
      return [{ question, rule: 'choice', message: 'is no value of the data list' }];
    });
  }

  /** Counts and logs why the answers were not checked. */
  function failure({ id, mode }: CheckedForm, error: unknown): void {
    const outcome =
      error instanceof LimitExceeded ? 'limit' : error instanceof Refused ? 'refused' : 'unavailable';
    checks.inc({ mode, outcome });
    if (outcome === 'refused') return;
    logger.warn({ error, formId: id, outcome }, 'answers could not be checked');
    if (outcome !== 'limit') return;
    refused.add(id);
    setTimeout(() => refused.delete(id), settings.RefusedSeconds * 1_000).unref();
  }

  return {
    async check(form, answers) {
      const took = seconds.startTimer();
      try {
        const faults = await faultsOf(form, answers);
        const outcome = faults === null ? 'unchecked' : faults.length === 0 ? 'passed' : 'failed';
        checks.inc({ mode: form.mode, outcome });
        if (faults === null) return null;
        if (form.mode === 'enforce' && faults.length > 0) throw violationsOf(faults);
        return JSON.stringify(faults.map(({ question, rule }): AnswerFault => ({ question, rule })));
      } catch (error) {
        if (error instanceof Problem && error.errorCode === 'validation_failed') throw error;
        failure(form, error);
        if (form.mode === 'report') return null;
        if (error instanceof Problem) throw error;
        const { RefusedSeconds } = settings;
        const wait = error instanceof LimitExceeded || error instanceof Refused ? RefusedSeconds : 5;
        throw new Problem('answer_check_unavailable', {
          cause: error,
          headers: { 'Retry-After': `${wait}` },
        });
      } finally {
        took();
      }
    },
    start: () => undefined,
    stop: () => pool.stop(),
  };
}

/** A 400 with one violation for each question. */
function violationsOf(faults: readonly WordedFault[]): Problem {
  const named = faults.map(({ question, rule, message }) => ({
    path: question === '' ? 'jsonData' : `jsonData.${question}`,
    rule: `answer.${rule}`,
    params: {},
    message,
  }));
  const errors: FieldErrors = Object.fromEntries(named.map(({ path, message }) => [path, [message]]));
  return validationProblem(errors, undefined, named);
}
