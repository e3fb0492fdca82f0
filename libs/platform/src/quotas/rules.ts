import Joi from 'joi';

/** One quota of a tenant. */
export interface QuotaRule {
  /** The limit without configuration; 0: no limit. */
  otherwise: number;
  /** A phrase of what is counted, for the documents. */
  counts: string;
  /** The use starts at 0 at midnight (UTC). Otherwise it is what the tenant has now. */
  perDay?: true;
}

/** The quotas of a service by name, such as `forms`. */
export type QuotaRules = Readonly<Record<string, QuotaRule>>;

export type QuotaName<R extends QuotaRules> = keyof R & string;

/** `Service:Quotas`: the limits of tenants without one of their own, by capitalised name. */
export type QuotaSettings<R extends QuotaRules> = { [Name in QuotaName<R> as Capitalize<Name>]: number };

/** Limits or uses of one tenant. */
export type QuotaNumbers<R extends QuotaRules> = Record<QuotaName<R>, number>;

/** The largest limit. Sums of uses stay exact as numbers. */
export const maxLimit = 1_000_000_000_000_000;

const capitalised = (name: string) => name[0]!.toUpperCase() + name.slice(1);

/** The schema of `Service:Quotas` of a service. */
export const quotaSettingsSchema = <R extends QuotaRules>(rules: R): Joi.ObjectSchema<QuotaSettings<R>> =>
  Joi.object<QuotaSettings<R>>(
    Object.fromEntries(
      Object.entries(rules).map(([name, { otherwise, counts, perDay }]) => [
        capitalised(name),
        Joi.number()
          .integer()
          .min(0)
          .max(maxLimit)
          .default(otherwise)
          .description(`Most ${counts}${perDay ? ' per UTC day' : ''}; 0: no limit.`),
      ]),
    ) as Joi.PartialSchemaMap<QuotaSettings<R>>,
  ).default();

/** The limits of a tenant without limits of its own. */
export const defaultsOf = <R extends QuotaRules>(rules: R, settings: QuotaSettings<R>): QuotaNumbers<R> =>
  Object.fromEntries(
    Object.keys(rules).map((name) => [name, (settings as Record<string, number>)[capitalised(name)]!]),
  ) as QuotaNumbers<R>;
