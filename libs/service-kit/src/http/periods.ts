import { validationProblem } from '@canvass/errors';
import Joi from 'joi';
import { endSchema, instantSchema } from './instant';

const secondsOf = { '1m': 60, '5m': 300, '1h': 3_600, '1d': 86_400 } as const;

/** Length of a bucket of statistics. */
export type Bucket = keyof typeof secondsOf;
const bucketNames = Object.keys(secondsOf) as Bucket[];

/** Buckets of a response at most. */
export const maxBuckets = 720;
const defaultBuckets = 60;

/** The parameters of a range of buckets. */
export interface PeriodQuery {
  from?: Date;
  to?: Date;
  bucket: Bucket;
}

/** A range of whole buckets by UTC; `to` is exclusive. */
export interface Period {
  from: Date;
  to: Date;
  bucket: Bucket;
  /** Length of a bucket. */
  seconds: number;
}

const bucketSchema = Joi.string<Bucket>().valid(...bucketNames);

/**
 * Members of a query: `from`, `to` and `bucket`.
 *
 * @param what is counted, in the plural, with what happened to it: `attempts that started`
 */
export const periodParameters = (what: string): Joi.StrictSchemaMap<PeriodQuery> => ({
  from: instantSchema(
    `${what} at or after this time, from the start of its bucket; by default ${defaultBuckets} buckets before \`to\``,
  ) as Joi.DateSchema,
  to: endSchema(`${what} before this time, to the end of its bucket; by default now`) as Joi.DateSchema,
  bucket: bucketSchema
    .default('1h')
    .description(`length of a bucket, in UTC; a range has at most ${maxBuckets} buckets`),
});

/** Members of a response that describe its period. `date` is the schema of a time in a response. */
export const periodMembers = (date: Joi.StringSchema) => ({
  from: date.description('start of the first bucket'),
  to: date.description('end of the last bucket, exclusive'),
  bucket: bucketSchema.description('length of a bucket'),
});

/**
 * The whole buckets that contain a range.
 *
 * @throws {Problem} `validation_failed` if the range is empty or has more than 720 buckets
 */
export function periodOf({ from, to, bucket }: PeriodQuery): Period {
  const seconds = secondsOf[bucket];
  const unit = seconds * 1000;
  const end = Math.ceil((to?.getTime() ?? Date.now() + 1) / unit) * unit;
  const start = from === undefined ? end - defaultBuckets * unit : Math.floor(from.getTime() / unit) * unit;
  if (from !== undefined && to !== undefined && from >= to)
    throw validationProblem({ to: ['must be later than from'] });
  if (start >= end) throw validationProblem({ from: ['must not be in the future'] });
  if ((end - start) / unit > maxBuckets)
    throw validationProblem({
      bucket: [
        `must be longer: the range has more than ${maxBuckets} buckets; choose a longer bucket or a shorter range`,
      ],
    });
  return { from: new Date(start), to: new Date(end), bucket, seconds };
}

/** The start of each bucket of a period. */
export const startsOf = ({ from, to, seconds }: Period): Date[] =>
  Array.from(
    { length: (to.getTime() - from.getTime()) / (seconds * 1000) },
    (_, n) => new Date(from.getTime() + n * seconds * 1000),
  );
