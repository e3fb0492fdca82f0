import type { SubmitterSettings } from '@canvass/extensions';
import { modulePath } from '@canvass/service-kit';
import Joi from 'joi';

const maxNames = 20;

const names = () =>
  Joi.array()
    .items(
      Joi.string()
        .max(200)
        .pattern(/^[A-Za-z][A-Za-z0-9_.:/-]*$/)
        .messages({
          'string.pattern.base': 'must be a name: a letter, then letters, digits and _ . : / -',
        }),
    )
    .unique()
    .max(maxNames)
    .default([]);

/** `Service:Submitter`: what resolvers get, and what only this service needs. */
export interface SubmitterConfig extends SubmitterSettings {
  IntegrationsMayName: string[];
}

/** `Service:Submitter`. */
export const submitterSettingsSchema: Joi.ObjectSchema<SubmitterConfig> = Joi.object<SubmitterConfig>({
  DisplayIdClaimTypes: names().description(
    'Claims for the display id, before preferred_username, name, email and the subject. The first that is not blank is used.',
  ),
  ProfileSnapshotFields: names().description(
    'Exact names of the claims and profile fields that are copied into the snapshot. No others are.',
  ),
  IntegrationsMayName: names().description(
    '`Service` or names of identity providers that integrations may name on behalf.',
  ),
  Extractors: Joi.array()
    .items(modulePath())
    .max(maxNames)
    .default([])
    .description('Modules that export a custom `extractor` (docs/extending.md).'),
  Resolver: modulePath().description('Module that exports `createResolver`, which replaces the resolver.'),
  ExtractorTimeoutMs: Joi.number()
    .integer()
    .min(10)
    .max(20_000)
    .default(1000)
    .description('Timeout of a custom extractor or resolver.'),
}).default();
