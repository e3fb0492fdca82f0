import { exactObject, wireDate } from '@canvass/contracts';
import type { Database } from '@canvass/postgres';
import { endpoint, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { formParams } from '../form-params';
import type { Challenges, ChallengeView } from '../challenges';
import { readRuntimeForm } from './runtime-form';

const example: ChallengeView = {
  type: 'proof-of-work',
  challenge:
    '117427680626343951.1795338000.16.q83vEjRWeJCrze8SNFZ4kA.5mZ0x1y2n3o4p5q6r7s8t9u0v1w2x3y4z5A6B7C8D9E',
  bits: 16,
  expiresAt: '2026-11-22T09:00:00.000Z',
  siteKey: null,
};

const challengeSchema = exactObject<ChallengeView>('FormChallenge', {
  type: Joi.string()
    .valid('none', 'proof-of-work', 'verifier')
    .description('`none`: a create needs no response; `verifier`: the widget of the site key gives it'),
  challenge: Joi.string().allow(null).description('of a proof of work'),
  bits: Joi.number().integer().allow(null).description('leading zero bits of the SHA-256 to find'),
  expiresAt: wireDate.allow(null).description('when it can no longer be answered'),
  siteKey: Joi.string().allow(null).description('for the widget of the verifier'),
});

/** Endpoints for form runtimes, before an anonymous create. */
export function challengeRoutes(deps: { db: Database; challenges: Challenges }): Endpoint[] {
  return [
    endpoint.write({
      method: 'post',
      path: '/api/public/forms/:formId/challenges',
      operationId: 'beginFormChallenge',
      audit: { notRecorded: 'stores nothing' },
      summary: 'A challenge for an anonymous respondent of the form',
      description:
        'If `type` is not `none`, a create without a token needs the header `X-Challenge-Response`, else it is a 403 `challenge_required`. For `proof-of-work` find a number so that the SHA-256 of `<challenge>.<number>` begins with `bits` zero bits, and send that text. Each response is valid for one create. A create with a token needs none.',
      access: 'optional',
      params: formParams,
      answers: { 200: { description: 'The challenge.', body: challengeSchema, example } },
      problems: ['authentication_required', 'permission_denied', 'form_disabled'],
      async handle({ params, principal }) {
        const { form } = await readRuntimeForm(deps.db, params.formId, principal);
        return ok(deps.challenges.begin(form.id), { headers: { 'Cache-Control': 'no-store' } });
      },
    }),
  ];
}
