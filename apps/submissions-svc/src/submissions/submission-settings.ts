import Joi from 'joi';

/** `Service:Submissions`: how large the texts of a submission may be, in bytes of UTF-8. */
export interface SubmissionSettings {
  MaxJsonDataBytes: number;
  MaxMetadataBytes: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * An event carries both texts escaped, at most twice as long, and must fit into a RabbitMQ message of 16 MiB: 7 MiB in
 * all leave room for the rest of the event.
 */
export const submissionSettingsSchema: Joi.ObjectSchema<SubmissionSettings> = Joi.object<SubmissionSettings>({
  MaxJsonDataBytes: Joi.number()
    .integer()
    .min(1 * KiB)
    .max(6 * MiB)
    .default(4 * MiB)
    .description(
      'Most bytes of `jsonData`, as UTF-8 and not escaped. The request body may be several times as large.',
    ),
  MaxMetadataBytes: Joi.number()
    .integer()
    .min(1 * KiB)
    .max(1 * MiB)
    .default(1 * MiB)
    .description('Most bytes of `metadata`, also after a merge.'),
}).default();

/**
 * JSON encoders write a byte of text as three bytes at most: `"` as `\"`, `ż` (two bytes) as `\u017c`. Encoders that
 * escape ASCII letters too are not made room for: the memory of a save grows with this limit.
 */
const longestEscape = 3;

/** Most bytes of a request body: both texts at their limits, however they are escaped, and 1 MiB for the rest. */
export const bodyLimitOf = ({ MaxJsonDataBytes, MaxMetadataBytes }: SubmissionSettings): number =>
  longestEscape * (MaxJsonDataBytes + MaxMetadataBytes) + 1 * MiB;
