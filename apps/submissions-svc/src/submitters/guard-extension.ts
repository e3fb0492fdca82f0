import { Problem } from '@canvass/errors';
import type {
  ExtractedSubmitter,
  SubmitterExtractor,
  SubmitterResolver,
  SubmitterSettings,
} from '@canvass/extensions';
import { within } from '@canvass/service-kit';
import { persistable } from './profile';

type Limits = Pick<SubmitterSettings, 'ExtractorTimeoutMs' | 'ProfileSnapshotFields'>;

/**
 * An extractor of somebody else's, made safe to call: a throw, an answer of another shape, and no answer within
 * `ExtractorTimeoutMs` are a Problem `submitter_resolution_failed`, whose cause says where and why in the request's log line.
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
        // A rejection that nobody handles would end the process.
        if (answer instanceof Promise) answer.catch(() => undefined);
        throw new TypeError('it must answer true or false at once');
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
  const late = () => new Error(`no answer within ${milliseconds} ms`);
  try {
    const extracted = extractedOf(await within(milliseconds, work(), late));
    if (extracted) persistable(extracted, fields);
    return extracted;
  } catch (error) {
    // Of an extractor that a resolver asked: it says itself what failed.
    if (error instanceof Problem) throw error;
    throw failed(`${call} failed`, error);
  }
}

/** 503 and not 500: nothing was written, and what failed may be well at the next try (decision 0027). */
const failed = (what: string, error: unknown): Problem =>
  new Problem('submitter_resolution_failed', {
    cause: new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error }),
  });

/** A copy of the known members. @throws {TypeError} for a value of another shape */
function extractedOf(value: unknown): ExtractedSubmitter | null {
  if (value === null) return null;
  if (!isObject(value)) throw new TypeError('it must give an object or null');
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
