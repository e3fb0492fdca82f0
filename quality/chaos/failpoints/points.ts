import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkoutDir } from '@canvass/infra';
import type { ServiceName } from '@canvass/stack';
import { bundleService } from '../bundle-service';
import { groupBy } from '../verdict/events';

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
    readdirSync(path.join(checkoutDir, root)).flatMap((project) =>
      filesBelow(path.join(root, project, 'src')),
    ),
  );
  return files.sort().flatMap((file) => {
    const source = readFileSync(path.join(checkoutDir, file), 'utf8');
    return [...source.matchAll(mark)].map(([, name]) => ({ name: name!, file }));
  });
}

/** Returns the list of all points as Markdown. */
export function listOfFailpoints(): string {
  const byFile = groupBy(findFailpoints(), ({ file }) => file);
  const lines = [...byFile].map(
    ([file, points]) => `- \`${file}\`: ${points.map(({ name }) => `\`${name}\``).join(', ')}`,
  );
  return `${lines.join('\n')}\n`;
}

/** Services that have points, beside those of shared libraries in other services. */
export const failpointServices = ['submissions-svc', 'datalists-svc', 'webhook-relay-svc'] as const;

/** Builds these services again, with the points. */
export async function buildWithFailpoints(programs: Record<ServiceName, string>): Promise<void> {
  for (const service of failpointServices)
    await bundleService(service, programs[service], (_, source) => withFailpoints(source));
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(path.join(checkoutDir, folder), { recursive: true, encoding: 'utf8' });
  return entries.filter((name) => name.endsWith('.ts')).map((name) => path.join(folder, name));
}
