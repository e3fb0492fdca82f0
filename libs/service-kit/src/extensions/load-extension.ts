import { withTimeout } from '@canvass/async';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const loadMs = 10_000;

/**
 * Loads a module that the configuration names and returns its export `name`, or undefined if it has no such
 * export. CommonJS and ES modules; a member `name` of the default export counts, too.
 *
 * @param key the configuration key, for errors
 * @param module a path relative to the working directory, or a package that Node resolves from there
 * @throws {Error} one sentence that starts with the key, if the module cannot be loaded within 10 s
 */
export async function loadExtension(key: string, module: string, name: string): Promise<unknown> {
  const exported = await load(key, module);
  return exported[name] ?? (exported['default'] as Record<string, unknown> | undefined | null)?.[name];
}

async function load(key: string, module: string): Promise<Record<string, unknown>> {
  try {
    const file = createRequire(path.join(process.cwd(), 'config')).resolve(module);
    // `import` and not `require`: ES modules may await at their top level.
    return await withTimeout(
      import(pathToFileURL(file).href) as Promise<Record<string, unknown>>,
      loadMs,
      `it did not load within ${loadMs / 1000} s.`,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new Error(`${key}: the module ${module} cannot be loaded: ${reason}`, { cause: error });
  }
}
