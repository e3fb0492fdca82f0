import type { SubmitterSettings } from '@canvass/extensions';
import { modulePath } from '@canvass/service-kit';
import Joi from 'joi';

const mostNames = 20;

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
    .max(mostNames)
    .default([]);

/** `Service:Submitter`. */
export const submitterSettingsSchema: Joi.ObjectSchema<SubmitterSettings> = Joi.object<SubmitterSettings>({
  DisplayIdClaimTypes: names().description(
    'Claims for the display id; the first that is not blank is taken. Then preferred_username, name, email, the subject.',
  ),
  ProfileSnapshotFields: names().description(
    'Claims and profile fields that are copied into the snapshot, by exact name; nothing else is.',
  ),
  Extractors: Joi.array()
    .items(modulePath())
    .max(mostNames)
    .default([])
    .description('Modules that export an `extractor` of your own (docs/extending.md).'),
  Resolver: modulePath().description('Module that exports `createResolver` and replaces the whole resolver.'),
  ExtractorTimeoutMs: Joi.number()
    .integer()
    .min(10)
    .max(20_000)
    .default(1000)
    .description(
      'An extractor or a resolver of your own that gives no answer within this fails the request with 503 `submitter_resolution_failed`.',
    ),
}).default();
