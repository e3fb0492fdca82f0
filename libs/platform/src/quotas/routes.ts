import { exactObject } from '@canvass/contracts';
import type { Queryable } from '@canvass/postgres';
import { digestOf, endpoint, ok, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import type { Quotas, QuotaView } from './quotas';
import type { QuotaRules } from './rules';

interface QuotaList {
  items: QuotaView[];
}

const amount = Joi.number().integer().min(0);
const quotaList = exactObject<QuotaList>('QuotaList', {
  items: Joi.array().items(
    exactObject<QuotaView>('Quota', {
      name: Joi.string().description('name of the quota, as in problems'),
      limit: amount.allow(null).description('the most that the tenant may use; null: no limit'),
      used: amount.description('the use now, or of this day (UTC)'),
      isPerDay: Joi.boolean().description('whether the use starts at 0 at midnight (UTC)'),
      isOwnLimit: Joi.boolean().description('whether an operator set the limit for this tenant'),
    }).optional(),
  ),
});

/** The endpoint for what an administrator sees of the quotas of one service. */
export function quotaRoutes<R extends QuotaRules>(
  db: Queryable,
  quotas: Quotas<R>,
  place: { path: string; operationId: string; summary: string },
): Endpoint[] {
  const [name, rule] = Object.entries(quotas.rules)[0]!;
  const example: QuotaView = {
    name,
    limit: rule.otherwise === 0 ? null : rule.otherwise,
    used: 17,
    isPerDay: rule.perDay ?? false,
    isOwnLimit: false,
  };
  return [
    endpoint.read({
      method: 'get',
      ...place,
      description:
        'A request above a limit is a 403 `quota_exceeded`, or for a quota per day a 429 `daily_quota_exceeded`. Operators set the limits.',
      access: { permission: 'Tenant.Manage' },
      answers: {
        200: {
          description: 'The quotas with limit and use.',
          headers: { ETag: 'changes with limits and uses' },
          body: quotaList,
          example: { items: [example] } satisfies QuotaList,
        },
      },
      async handle({ principal }) {
        const items = await quotas.read(db, principal.tenantId);
        return ok({ items } satisfies QuotaList, { etag: digestOf(items) });
      },
    }),
  ];
}
