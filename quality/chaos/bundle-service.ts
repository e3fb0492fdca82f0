import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { checkoutDir } from '@canvass/infra';
import type { ServiceName } from '@canvass/stack';

/**
 * Bundles a service again with changes that are not in the product code.
 *
 * @param outfile path of the bundle
 * @param rewrite returns the text of a module by its path from the checkout and its source, or null to leave
 * it as it is
 */
export async function bundleService(
  service: ServiceName,
  outfile: string,
  rewrite: (file: string, source: string) => string | null,
): Promise<void> {
  await build({
    absWorkingDir: checkoutDir,
    entryPoints: [path.join('apps', service, 'src/main.ts')],
    outfile,
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
      {
        name: 'rewrite',
        setup: (esbuild) =>
          esbuild.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
            const contents = rewrite(path.relative(checkoutDir, file), readFileSync(file, 'utf8'));
            return contents === null ? null : { contents, loader: 'ts' };
          }),
      },
    ],
  });
}
