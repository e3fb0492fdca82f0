import Joi from 'joi';

/** `Service:Submissions`: limits of submissions. Sizes of texts are in bytes of UTF-8. */
export interface SubmissionSettings {
  MaxJsonDataBytes: number;
  MaxMetadataBytes: number;
  LockTimeoutMs: number;
  ClosingGraceMinutes: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * An event contains both texts escaped, at most twice as long, and must fit into a RabbitMQ message of 16
 * MiB. 7 MiB in total leave room for the rest of the event.
 */
export const submissionSettingsSchema: Joi.ObjectSchema<SubmissionSettings> = Joi.object<SubmissionSettings>({
  MaxJsonDataBytes: Joi.number()
    .integer()
    .min(1 * KiB)
    .max(6 * MiB)
    .default(4 * MiB)
    .description(
      'Maximum size of `jsonData` in bytes of unescaped UTF-8. The request body may be several times as large.',
    ),
  MaxMetadataBytes: Joi.number()
    .integer()
    .min(1 * KiB)
    .max(1 * MiB)
    .default(1 * MiB)
    .description('Maximum size of `metadata` in bytes, even after a merge.'),
  LockTimeoutMs: Joi.number()
    .integer()
    .min(1)
    .default(2_000)
    .description(
      'Longest wait for a form or submission that another request changes. Then the request is a 503.',
    ),
  ClosingGraceMinutes: Joi.number()
    .integer()
    .min(0)
    .max(7 * 24 * 60)
    .default(15)
    .description('Minutes after the `closesAt` of a form in which unfinished submissions can be completed.'),
}).default();

/**
 * JSON encoders write a byte of text as at most three bytes: `"` as `\"`, `ż` (two bytes) as `\u017c`.
 * Encoders that also escape ASCII letters may exceed the limit: the memory of a save grows with it.
 */
const maxEscapeLength = 3;

/** Maximum size of a request body: both texts at their limits in any escaping, and 1 MiB for the rest. */
export const bodyLimitOf = ({
  MaxJsonDataBytes,
  MaxMetadataBytes,
}: Pick<SubmissionSettings, 'MaxJsonDataBytes' | 'MaxMetadataBytes'>): number =>
  maxEscapeLength * (MaxJsonDataBytes + MaxMetadataBytes) + 1 * MiB;
