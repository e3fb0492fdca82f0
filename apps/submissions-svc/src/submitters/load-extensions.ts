import { createRequire } from 'node:module';
import path from 'node:path';
import type { CreateResolver, SubmitterExtractor, SubmitterResolver, SubmitterSettings } from './extractor';
import { createExtractorResolver } from './resolve-submitter';

/**
 * The resolver as configured: the default one with the extractors of `Service:Submitter:Extractors`, or the one that
 * `Service:Submitter:Resolver` makes. Paths are relative to the working directory; package names work too.
 *
 * @throws {Error} one sentence that names the configuration key, for a module that is missing or exports something else
 */
export async function loadResolver(settings: SubmitterSettings): Promise<SubmitterResolver> {
  const extractors = settings.Extractors.map((name, index) => loadExtractor(name, index));
  if (settings.Resolver === undefined) return createExtractorResolver(settings, extractors);
  const key = 'Service:Submitter:Resolver';
  const { createResolver } = load(settings.Resolver, key);
  if (typeof createResolver !== 'function')
    throw new Error(`${key}: ${settings.Resolver} exports no createResolver function.`);
  const resolver = await (createResolver as CreateResolver)(settings, extractors);
  if (typeof resolver?.resolve !== 'function')
    throw new Error(`${key}: createResolver gave no object with resolve().`);
  return resolver;
}

function loadExtractor(name: string, index: number): SubmitterExtractor {
  const key = `Service:Submitter:Extractors:${index}`;
  const extractor = load(name, key)['extractor'] as Partial<SubmitterExtractor> | undefined;
  if (
    !Number.isInteger(extractor?.priority) ||
    typeof extractor?.canExtract !== 'function' ||
    typeof extractor.extract !== 'function'
  ) {
    throw new Error(
      `${key}: ${name} exports no extractor with an integer priority, canExtract() and extract().`,
    );
  }
  return extractor as SubmitterExtractor;
}

function load(name: string, key: string): Record<string, unknown> {
  try {
    return createRequire(path.join(process.cwd(), 'config'))(name) as Record<string, unknown>;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new Error(`${key}: the module ${name} cannot be loaded: ${reason}`, { cause: error });
  }
}
