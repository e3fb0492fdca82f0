import { withTimeout } from '@canvass/async';
import { loadExtension } from '@canvass/service-kit';
import type { CreateResolver, SubmitterExtractor, SubmitterResolver, SubmitterSettings } from './extractor';
import { guardExtractor, guardResolver } from './guard-extension';
import { createExtractorResolver } from './resolve-submitter';

const createMs = 10_000;

/**
 * The configured resolver: the default one with the extractors of `Service:Submitter:Extractors`, or the one
 * that `Service:Submitter:Resolver` creates. Paths are relative to the working directory; package names work,
 * too.
 *
 * @throws {Error} one sentence with the configuration key, for a missing module or a wrong export
 */
export async function loadResolver(settings: SubmitterSettings): Promise<SubmitterResolver> {
  const extractors = await Promise.all(
    settings.Extractors.map((module, index) => loadExtractor(module, index, settings)),
  );
  if (settings.Resolver === undefined) return createExtractorResolver(settings, extractors);
  return loadOwnResolver(settings.Resolver, settings, extractors);
}

async function loadExtractor(
  module: string,
  index: number,
  settings: SubmitterSettings,
): Promise<SubmitterExtractor> {
  const key = `Service:Submitter:Extractors:${index}`;
  const extractor = (await loadExtension(key, module, 'extractor')) as
    Partial<SubmitterExtractor> | undefined;
  if (
    !Number.isInteger(extractor?.priority) ||
    typeof extractor?.canExtract !== 'function' ||
    typeof extractor.extract !== 'function'
  ) {
    throw new Error(
      `${key}: ${module} exports no extractor with an integer priority, canExtract() and extract().`,
    );
  }
  return guardExtractor(extractor as SubmitterExtractor, `${key} (${module})`, settings);
}

async function loadOwnResolver(
  module: string,
  settings: SubmitterSettings,
  extractors: readonly SubmitterExtractor[],
): Promise<SubmitterResolver> {
  const key = 'Service:Submitter:Resolver';
  const createResolver = await loadExtension(key, module, 'createResolver');
  if (typeof createResolver !== 'function')
    throw new Error(`${key}: ${module} exports no createResolver function.`);
  const create = async () => (createResolver as CreateResolver)(settings, extractors);
  const late = `no result within ${createMs / 1000} s`;
  const resolver = await withTimeout(create(), createMs, late).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new Error(`${key}: createResolver() of ${module} failed: ${reason}`, { cause: error });
  });
  if (typeof resolver?.resolve !== 'function')
    throw new Error(`${key}: createResolver() of ${module} returned no object with resolve().`);
  return guardResolver(resolver, `${key} (${module})`, settings);
}
