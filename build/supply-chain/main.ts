import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { noticesOf } from './notices';
import { billOfMaterials } from './sbom';

const root = path.join(__dirname, '../..');

/**
 * `npx nx run build:supply-chain` writes the documents about the packages of the image: `dist/sbom.cdx.json`
 * (CycloneDX) and `dist/THIRD-PARTY-NOTICES.txt`.
 */
function main(): void {
  const bill = billOfMaterials(root);
  const dist = path.join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(path.join(dist, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  writeFileSync(path.join(dist, 'THIRD-PARTY-NOTICES.txt'), noticesOf(root, bill.components));
}

main();
