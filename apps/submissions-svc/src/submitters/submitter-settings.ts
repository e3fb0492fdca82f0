import Joi from 'joi';
import type { SubmitterSettings } from './extractor';

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

const modulePath = () => Joi.string().max(1000);

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
    .description('Modules that export an `extractor` (SubmitterExtractor) of your own.'),
  Resolver: modulePath().description('Module that exports `createResolver` and replaces the whole resolver.'),
}).default();
