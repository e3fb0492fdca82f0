import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { checkoutDir } from '../../infra';
import type { ServiceName } from '../../start/services';
import type { SeededBug } from '../arguments';

interface Seed {
  /** Services that get the bug. */
  services: readonly ServiceName[];
  /** The module that is replaced, and by which: it may import the replaced one as `original`. */
  replaces: string;
  by: string;
}

const seeds: Record<SeededBug, Seed> = {
  'ack-before-commit': {
    services: ['webhook-relay-svc'],
    replaces: 'apps/webhook-relay-svc/src/fan-out/consume-event.ts',
    by: 'ack-before-commit.ts',
  },
  'drop-returned': {
    services: ['submissions-svc', 'datalists-svc'],
    replaces: 'libs/outbox/src/batch.ts',
    by: 'drop-returned.ts',
  },
  'cursor-by-id': {
    services: ['submissions-svc', 'datalists-svc'],
    replaces: 'libs/outbox/src/lane.sql.ts',
    by: 'cursor-by-id.ts',
  },
};

/** Builds the services that have the bug again, with it. Product code knows nothing of this. */
export async function buildSeeded(bug: SeededBug, programs: Record<ServiceName, string>): Promise<void> {
  const { services, replaces, by } = seeds[bug];
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
      external: ['argon2', 'pg-native', ...driversOfKnex],
      plugins: [
        replacement(path.join(checkoutDir, replaces), path.join(__dirname, by), () => (replaced += 1)),
      ],
    });
  }
  if (replaced < services.length)
    throw new Error(`${replaces} is not part of ${services.join(', ')} any more`);
}

const driversOfKnex = [
  ...['better-sqlite3', 'sqlite3', 'mysql', 'mysql2', 'mariadb', 'mariadb/callback', 'tedious', 'oracledb'],
];

/** Whoever imports the original gets the variant; the variant itself gets the original. */
function replacement(original: string, variant: string, count: () => void): Plugin {
  return {
    name: 'seeded-bug',
    setup(esbuild) {
      esbuild.onResolve(
        { filter: /^\.\.?\// },
        async ({ path: wanted, importer, resolveDir, kind, pluginData }) => {
          if (pluginData === 'resolving' || importer === variant) return null;
          const { path: found } = await esbuild.resolve(wanted, {
            importer,
            resolveDir,
            kind,
            pluginData: 'resolving',
          });
          if (found !== original) return null;
          count();
          return { path: variant };
        },
      );
    },
  };
}
