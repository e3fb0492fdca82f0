import { every, type Loop } from '@canvass/async';
import { Problem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import { currentContext, type Logger, type Metrics } from '@canvass/service-kit';
import type { IncomingHttpHeaders } from 'node:http';
import type { PublicFormSettings } from './challenge-settings';
import { challengeKeys, newChallenge, solutionOf } from './proof-of-work';
import { removeExpired, useChallenge } from './used-challenges.sql';
import { verifyResponse } from './verifier';

/** The task of a form runtime before an anonymous create. */
export interface ChallengeView {
  type: PublicFormSettings['Challenge'];
  /** The challenge of a proof of work. */
  challenge: string | null;
  bits: number | null;
  expiresAt: string | null;
  /** The site key of a verifier. */
  siteKey: string | null;
}

/** The challenge of anonymous creates; a loop that forgets expired ones. */
export interface Challenges extends Loop {
  begin(formId: string): ChallengeView;
  /**
   * Checks the header `X-Challenge-Response` of an anonymous create. A response is valid once.
   *
   * @throws {Problem} `challenge_required` without a valid response, `service_unavailable` if the verifier
   * cannot be asked
   */
  assertAnswered(formId: string, headers: IncomingHttpHeaders): Promise<void>;
}

/** Names are in small letters, as Node has them. */
const responseHeader = 'x-challenge-response';

const maxTokenLength = 8_192;
const removeEveryMs = 60_000;

export function createChallenges(
  { Challenge: type, ProofOfWork, Verifier }: PublicFormSettings,
  { db, secrets, logger, metrics }: { db: Queryable; secrets: string[]; logger: Logger; metrics: Metrics },
): Challenges {
  const keys = challengeKeys(secrets);
  const outcomes = metrics.counter<'outcome'>({
    name: 'form_challenges_total',
    help: 'Anonymous creates with a challenge, by outcome: passed, missing, refused, unavailable.',
    labels: ['outcome'],
  });
  const remover = every(removeEveryMs, async () => void (await db.query(removeExpired())), {
    onError: (error) => logger.warn({ error }, 'failed to delete expired challenges; retrying in a minute'),
  });

  async function isValid(formId: string, response: string): Promise<boolean> {
    if (Verifier !== undefined && type === 'verifier')
      return (
        response.length <= maxTokenLength &&
        verifyResponse(Verifier, response, currentContext()?.address ?? null)
      );
    const solution = solutionOf(keys, formId, response);
    if (solution === null) return false;
    const [used] = await db.query(useChallenge(solution));
    return used !== undefined;
  }

  return {
    begin(formId) {
      const none = { type, challenge: null, bits: null, expiresAt: null, siteKey: null };
      if (type === 'verifier') return { ...none, siteKey: Verifier?.SiteKey ?? null };
      if (type === 'none') return none;
      const { Bits: bits, ValidSeconds: validSeconds } = ProofOfWork;
      const { expiresAt, ...challenge } = newChallenge(keys, { formId, bits, validSeconds });
      return { ...none, ...challenge, expiresAt: expiresAt.toISOString() };
    },
    async assertAnswered(formId, headers) {
      if (type === 'none') return;
      const response = headers[responseHeader];
      if (typeof response !== 'string' || response === '') {
        outcomes.inc({ outcome: 'missing' });
        throw new Problem('challenge_required');
      }
      const valid = await isValid(formId, response).catch((error: unknown) => {
        outcomes.inc({ outcome: 'unavailable' });
        logger.warn({ error }, 'the response to a challenge cannot be verified');
        throw error;
      });
      outcomes.inc({ outcome: valid ? 'passed' : 'refused' });
      if (!valid)
        throw new Problem('challenge_required', {
          detail: 'The response to the challenge is not valid, has expired or was used before.',
        });
    },
    start() {
      if (type === 'proof-of-work') remover.start();
    },
    wake: () => remover.wake(),
    stop: () => remover.stop(),
  };
}
