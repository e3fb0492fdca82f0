import { ConfigurationError, loadConfig, type HostingSettings } from '@canvass/service-kit';
import Joi from 'joi';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const checkout = path.resolve(__dirname, '../..');

/** What a container's command runs, by the bundle's path in the image: its configuration module in this checkout. */
function configModuleOf(bundle: string): string | undefined {
  if (bundle === 'dist/tools/provision.js') return path.join(checkout, 'tools/provision/config.ts');
  const app = /^dist\/apps\/([a-z-]+)\/main\.js$/.exec(bundle)?.[1];
  const file = app === undefined ? undefined : path.join(checkout, 'apps', app, 'src/config.ts');
  return file !== undefined && existsSync(file) ? file : undefined;
}

/** The processes a deployment must have: every app that can be built, but the tests. */
export function deployableApps(): string[] {
  return readdirSync(path.join(checkout, 'apps')).filter((app) =>
    existsSync(path.join(checkout, 'apps', app, 'src/main.ts')),
  );
}

export interface ReadEnvironment {
  /** Null for a process without listeners (provisioning), or when the configuration is refused. */
  hosting: HostingSettings | null;
  faults: string[];
}

/**
 * Reads the environment of a container exactly as the process in it would: unknown keys, missing ones and values that
 * are refused are faults that name the key.
 *
 * @param bundle path of the bundle that the container's command starts
 */
export async function readEnvironment(bundle: string, env: Record<string, string>): Promise<ReadEnvironment> {
  const module = configModuleOf(bundle);
  if (module === undefined) return { hosting: null, faults: [`starts ${bundle}, which is not in the image`] };
  const exported = Object.values((await import(module)) as Record<string, unknown>);
  const schema = exported.find(
    (value): value is Joi.ObjectSchema<{ Service: { Hosting?: HostingSettings } }> =>
      Joi.isSchema(value) &&
      Object.keys((value.describe() as { keys?: object }).keys ?? {}).includes('Service'),
  );
  if (schema === undefined) throw new Error(`${module} exports no schema over { Service }.`);
  try {
    const { Service } = loadConfig(schema, { argv: [], env, defaultsFile: '/nonexistent/config.json' });
    return { hosting: Service.Hosting ?? null, faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { hosting: null, faults: error.faults };
  }
}
