import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { checkoutDir } from '@canvass/infra';
import type { ServiceName } from '@canvass/stack';
import type { SeededBug } from '../arguments';

interface Seed {
  /** Services that get the bug. */
  services: readonly ServiceName[];
  /** The module that is changed. */
  module: string;
  /** Its export that is replaced; the file in this folder named as the bug makes the new one of the old. */
  replaces: string;
}

const seeds: Record<SeededBug, Seed> = {
  'ack-before-commit': {
    services: ['webhook-relay-svc'],
    module: 'apps/webhook-relay-svc/src/pipeline/consume-event.ts',
    replaces: 'eventConsumer',
  },
  'drop-returned': {
    services: ['submissions-svc', 'datalists-svc'],
    module: 'libs/outbox/src/batch.ts',
    replaces: 'dispatchBatch',
  },
  'cursor-by-id': {
    services: ['submissions-svc', 'datalists-svc'],
    module: 'libs/outbox/src/lane.sql.ts',
    replaces: 'claimRows',
  },
};

/** Builds the services that have the bug again, with it. Product code knows nothing of this. */
export async function buildSeeded(bug: SeededBug, programs: Record<ServiceName, string>): Promise<void> {
  const { services, module, replaces } = seeds[bug];
  let replaced = 0;
  for (const service of services) {
    await build({
      absWorkingDir: checkoutDir,
      entryPoints: [path.join('apps', service, 'src/main.ts')],
      outfile: programs[service],
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      sourcemap: true,
      keepNames: true,
      tsconfig: 'tsconfig.base.json',
      logLevel: 'warning',
      packages: 'external',
      plugins: [
        replacement({
          original: path.join(checkoutDir, module),
          variant: path.join(__dirname, `${bug}.ts`),
          replaces,
          onReplaced: () => (replaced += 1),
        }),
      ],
    });
  }
  if (replaced < services.length) throw new Error(`${module} is not part of ${services.join(', ')} any more`);
}

interface Replacement {
  original: string;
  variant: string;
  replaces: string;
  onReplaced(): void;
}

/** Whoever imports the original gets a module that is the original but for one export. */
function replacement({ original, variant, replaces, onReplaced }: Replacement): Plugin {
  const contents = [
    `import * as original from ${JSON.stringify(original)};`,
    `import { seed } from ${JSON.stringify(variant)};`,
    `export * from ${JSON.stringify(original)};`,
    `export const ${replaces} = seed(original).${replaces};`,
  ].join('\n');
  return {
    name: 'seeded-bug',
    setup(esbuild) {
      esbuild.onResolve(
        { filter: /^\.\.?\// },
        async ({ path: wanted, importer, resolveDir, kind, pluginData }) => {
          if (pluginData === 'resolving') return null;
          const found = await esbuild.resolve(wanted, {
            importer,
            resolveDir,
            kind,
            pluginData: 'resolving',
          });
          if (found.path !== original) return null;
          onReplaced();
          return { path: original, namespace: 'seeded' };
        },
      );
      esbuild.onLoad({ filter: /.*/, namespace: 'seeded' }, () => ({
        contents,
        resolveDir: checkoutDir,
        loader: 'ts',
      }));
    },
  };
}
