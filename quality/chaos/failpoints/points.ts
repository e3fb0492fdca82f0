import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkoutDir } from '@canvass/infra';
import type { ServiceName } from '@canvass/stack';
import { build } from 'esbuild';

/** A step in the product code at which the harness can kill the process. */
export interface Failpoint {
  /** As in `relay.record.before`. */
  name: string;
  /** From the checkout. */
  file: string;
}

/** The mark of a point: a comment on a line of its own, between two statements. */
const mark = /^[ \t]*\/\/ failpoint: (\S+)$/gm;

/** Returns the text of a module with a call in place of each mark, or null if it has none. Lines stay the same. */
export function withFailpoints(source: string): string | null {
  const changed = source.replace(mark, (_, name: string) => `failpoint(${JSON.stringify(name)});`);
  const module = JSON.stringify(path.join(__dirname, 'failpoint.ts'));
  return changed === source ? null : `import { failpoint } from ${module}; ${changed}`;
}

/** Returns all points of the product code, in order of files and lines. */
export function findFailpoints(): Failpoint[] {
  const files = ['apps', 'libs'].flatMap((root) =>
    readdirSync(path.join(checkoutDir, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /^[^/]+\/src\/.*\.ts$/.test(name))
      .map((name) => path.join(root, name)),
  );
  return files.sort().flatMap((file) => {
    const source = readFileSync(path.join(checkoutDir, file), 'utf8');
    return [...source.matchAll(mark)].map(([, name]) => ({ name: name!, file }));
  });
}

/** Where the processes look for armed points, in the folder of the stack. */
export const armedFolder = (dir: string): string => path.join(dir, 'failpoints');

/** Services that have points, beside those of shared libraries in other services. */
export const failpointServices = ['submissions-svc', 'datalists-svc', 'webhook-relay-svc'] as const;

/** Bundles these services again, with the points. @param programs path of the bundle by service */
export async function buildWithFailpoints(programs: Record<ServiceName, string>): Promise<void> {
  for (const service of failpointServices)
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
        {
          name: 'failpoints',
          setup: (esbuild) =>
            esbuild.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
              const contents = withFailpoints(readFileSync(file, 'utf8'));
              return contents === null ? null : { contents, loader: 'ts' };
            }),
        },
      ],
    });
}
