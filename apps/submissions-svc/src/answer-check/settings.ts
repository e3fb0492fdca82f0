import Joi from 'joi';

/** `Service:AnswerCheck`: the threads that check completions by the definition of their form. */
export interface AnswerCheckSettings {
  Workers: number;
  LimitMs: number;
  MemoryMb: number;
  RefusedSeconds: number;
}

export const answerCheckSettingsSchema = Joi.object<AnswerCheckSettings>({
  Workers: Joi.number()
    .integer()
    .min(2)
    .max(64)
    .default(4)
    .description('Checks at the same time. Threads start when they are needed, and one more as a reserve.'),
  LimitMs: Joi.number()
    .integer()
    .min(50)
    .max(10_000)
    .default(1_000)
    .description('Longest time of a check. Then its thread is ended.'),
  MemoryMb: Joi.number()
    .integer()
    .min(64)
    .default(192)
    .description('Memory of a thread. A check that needs more is ended.'),
  RefusedSeconds: Joi.number()
    .integer()
    .min(1)
    .default(60)
    .description('Time for which a form is not checked after a check of it was ended.'),
}).default();
