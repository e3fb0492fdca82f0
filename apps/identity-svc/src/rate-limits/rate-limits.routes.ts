import type { Database } from '@canvass/postgres';
import { endpoint, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import { lendBudgets, type Lease, type Wish } from './rate-budgets.sql';

interface Ask {
  windowSeconds: number;
  wishes: Wish[];
}

const count = () => Joi.number().integer().min(0).max(10_000_000).required();
const subject = () =>
  Joi.string()
    .pattern(/^[A-Za-z0-9_-]{43}$/)
    .required()
    .description('SHA-256 of whom the budget is for, base64url without padding');

const askSchema = Joi.object<Ask>({
  windowSeconds: Joi.number().integer().min(1).max(3600).required(),
  wishes: Joi.array()
    .items(Joi.object({ subject: subject(), limit: count().min(1), want: count().min(1) }))
    .min(1)
    .max(500)
    .unique('subject')
    .required(),
});

const answerSchema = Joi.object<{ leases: Lease[] }>({
  leases: Joi.array()
    .items(Joi.object({ subject: subject(), granted: count(), remaining: count(), msLeft: count() }))
    .required(),
});

/** For the gateways: what they may let through, so that a limit holds over all of them. */
export function rateLimitRoutes(db: Database): Endpoint[] {
  return [
    endpoint.write({
      method: 'post',
      path: '/internal/rate-limits/leases',
      operationId: 'leaseRateBudgets',
      summary: 'Parts of rate budgets for a gateway to spend within their windows',
      access: 'internal',
      body: askSchema,
      answers: {
        200: {
          description: 'A lease for each wish, in no order; 0 where a budget is spent.',
          body: answerSchema,
        },
      },
      handle: async ({ body }) => ok({ leases: await lendBudgets(db, body.wishes, body.windowSeconds) }),
    }),
  ];
}
