import path from 'node:path';
import { licenceOf, noticesOf } from './notices';
import { billOfMaterials, directDependencies, packagesOfConsole } from './sbom';

const root = path.join(__dirname, '../..');
const bill = billOfMaterials(root);

/** Licences under which a package may be shipped with software under MIT. */
const permissive = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
];

it('the bill of materials is CycloneDX and holds each dependency with version, hash and licence', () => {
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'canvass' } } });
  const names = new Set(bill.components.map(({ name }) => name));
  for (const name of [...directDependencies(root), ...packagesOfConsole(root), 'swagger-ui-dist'])
    expect(names).toContain(name);
  const refs = new Set(bill.components.map((component) => component['bom-ref']));
  for (const { ref, dependsOn } of bill.dependencies) {
    expect(refs).toContain(ref === bill.metadata.component['bom-ref'] ? dependsOn[0] : ref);
    for (const other of dependsOn) expect(refs).toContain(other);
  }
  for (const { name, version, purl, hashes } of bill.components) {
    expect(purl).toContain(`@${version}`);
    expect([name, hashes?.map(({ alg }) => alg)]).toEqual([name, ['SHA-512']]);
  }
});

it('the bill of materials holds no package that only development needs', () => {
  const names = bill.components.map(({ name }) => name);
  expect(names).not.toContain('jest');
  expect(names).not.toContain('typescript');
});

it('every package has a permissive licence', () => {
  const others = bill.components.filter((component) => !permissive.includes(licenceOf(component)));
  expect(others.map((component) => `${component.name}: ${licenceOf(component)}`)).toEqual([]);
});

it('the notices hold the licence text of every package that has one', () => {
  const sections = noticesOf(root, bill.components).split('-'.repeat(80)).slice(1);
  expect(sections).toHaveLength(bill.components.length);
  const withoutText = sections.map((section) => section.trim()).filter((section) => !section.includes('\n'));
  // Its licence requires no text.
  expect(withoutText).toEqual(['wouter 3.13.0 (Unlicense)']);
});

it('a package without a licence is an error', () => {
  expect(() => licenceOf({ ...bill.components[0]!, name: 'x', licenses: [] })).toThrow('names no licence');
});
