import type { QuotaRules, Quotas } from '@canvass/quotas';

/** The quotas of this service. The defaults are far above ordinary use. */
export const quotaRules = {
  submissionsPerDay: { otherwise: 2_000_000, counts: 'submissions that a tenant creates', perDay: true },
  anonymousSubmissionsPerFormAndDay: {
    otherwise: 500_000,
    counts: 'anonymous submissions that are created of one form',
    perDay: true,
  },
  anonymousBytesPerFormAddressAndDay: {
    otherwise: 209_715_200,
    counts:
      'bytes of answers and metadata of one form that anonymous callers from one address (IPv6: one /64 network) send to one process',
    perDay: true,
  },
  answerBytes: {
    otherwise: 1_099_511_627_776,
    counts: 'bytes of answers and metadata of a tenant, former and deleted ones included',
  },
  forms: { otherwise: 10_000, counts: 'forms of a tenant' },
  exportBytes: { otherwise: 4_294_967_296, counts: 'bytes of stored exports of a tenant' },
  webhookEndpoints: {
    otherwise: 1_000,
    counts: 'webhook endpoints in the settings of a tenant and its forms',
  },
} as const satisfies QuotaRules;

export type SubmissionsQuotas = Quotas<typeof quotaRules>;
