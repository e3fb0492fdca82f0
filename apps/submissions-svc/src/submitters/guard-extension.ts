import { withTimeout } from '@canvass/async';
import { Problem } from '@canvass/errors';
import type {
  ExtractedSubmitter,
  SubmitterExtractor,
  SubmitterResolver,
  SubmitterSettings,
} from '@canvass/extensions';
import { persistable } from './profile';

type Limits = Pick<SubmitterSettings, 'ExtractorTimeoutMs' | 'ProfileSnapshotFields'>;

/**
 * Makes a custom extractor safe to call. A throw, an invalid result, and no result within
 * `ExtractorTimeoutMs` become a Problem `submitter_resolution_failed`. Its cause says where and why in the
 * log line of the request.
 *
 * @param origin key and module of the extractor, for that line
 */
export function guardExtractor(
  extractor: SubmitterExtractor,
  origin: string,
  limits: Limits,
): SubmitterExtractor {
  return {
    priority: extractor.priority,
    canExtract(principal) {
      try {
        const answer: unknown = extractor.canExtract(principal);
        if (typeof answer === 'boolean') return answer;
        // An unhandled rejection would end the process.
        if (answer instanceof Promise) answer.catch(() => undefined);
        throw new TypeError('it must return true or false synchronously');
      } catch (error) {
        throw failed(`${origin}: canExtract() failed`, error);
      }
    },
    extract: (principal) => guarded(`${origin}: extract()`, limits, async () => extractor.extract(principal)),
  };
}

/** The same for a resolver. */
export function guardResolver(
  resolver: SubmitterResolver,
  origin: string,
  limits: Limits,
): SubmitterResolver {
  return {
    resolve: (principal) => guarded(`${origin}: resolve()`, limits, async () => resolver.resolve(principal)),
  };
}

async function guarded(
  call: string,
  { ExtractorTimeoutMs: milliseconds, ProfileSnapshotFields: fields }: Limits,
  work: () => Promise<unknown>,
): Promise<ExtractedSubmitter | null> {
  try {
    const extracted = extractedOf(await withTimeout(work(), milliseconds));
    if (extracted) persistable(extracted, fields);
    return extracted;
  } catch (error) {
    // The error of an extractor that a resolver called already says what failed.
    if (error instanceof Problem) throw error;
    throw failed(`${call} failed`, error);
  }
}

/** 503 and not 500: nothing was written, and a retry may succeed (decision 0027). */
const failed = (what: string, error: unknown): Problem =>
  new Problem('submitter_resolution_failed', {
    cause: new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error }),
  });

/** A copy of the known members. @throws {TypeError} for an invalid value */
function extractedOf(value: unknown): ExtractedSubmitter | null {
  if (value === null) return null;
  if (!isObject(value)) throw new TypeError('it must return an object or null');
  const { authProvider, externalSubjectId, displayId, appUserId = null, profile = null } = value;
  return {
    authProvider: textOf('authProvider', authProvider),
    externalSubjectId: textOf('externalSubjectId', externalSubjectId),
    displayId: textOf('displayId', displayId),
    appUserId: appUserId === null ? null : textOf('appUserId', appUserId),
    profile: profile === null ? {} : profileOf(profile),
  };
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
  return value;
}

function profileOf(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new TypeError('profile must be an object');
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
