import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A package, as CycloneDX 1.5 describes it. */
export interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  hashes?: { alg: string; content: string }[];
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
}

export interface BillOfMaterials {
  bomFormat: 'CycloneDX';
  specVersion: string;
  metadata: { component: Pick<Component, 'bom-ref' | 'name' | 'version'> };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Development packages whose files are shipped: those of `assets.json` of the gateway. */
const shippedFiles = ['swagger-ui-dist'];

/**
 * The packages of an image: what a bundle loads at run time, what the files of the console contain, and
 * those whose files are served. Development packages are left out by the lock file: `npm sbom --omit dev` also
 * omits packages that both need.
 */
export function billOfMaterials(root: string): BillOfMaterials {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const bill = JSON.parse(text) as BillOfMaterials;
  const installed = installedPackages(root);
  const inConsole = packagesOfConsole(root);
  const components = bill.components.filter(
    (component) =>
      installed.has(`${component.name}@${component.version}`) ||
      shippedFiles.includes(component.name) ||
      inConsole.includes(component.name),
  );
  const refs = new Set(components.map((component) => component['bom-ref']));
  // npm names the root after its folder.
  const component = { ...bill.metadata.component, name: 'canvass' };
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref) || ref === component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  return { ...bill, metadata: { ...bill.metadata, component }, components, dependencies };
}

/** The names of packages in the files of the console. Its build fails if the list is not right. */
export const packagesOfConsole = (root: string): string[] =>
  JSON.parse(readFileSync(path.join(root, 'apps/console/packages.json'), 'utf8')) as string[];

/** The packages of the lock file, by their folders. */
export const lockedPackages = (root: string): Record<string, Locked> =>
  (
    JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, Locked>;
    }
  ).packages;

interface Locked {
  version?: string;
  dev?: boolean;
  devOptional?: boolean;
}

/** `name@version` of what `npm ci --omit=dev` installs. */
function installedPackages(root: string): Set<string> {
  const installed = Object.entries(lockedPackages(root)).filter(
    ([at, { dev, devOptional }]) => at.startsWith('node_modules/') && !dev && !devOptional,
  );
  return new Set(installed.map(([at, { version }]) => `${at.split('node_modules/').at(-1)}@${version}`));
}

/** The names of the packages that the image installs directly. */
export function directDependencies(root: string): string[] {
  const file = path.join(root, 'package.json');
  return Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { dependencies: object }).dependencies);
}
