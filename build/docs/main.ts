import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';
import { asyncApiDocument } from '../asyncapi';
import { endpointTables } from '../routes/endpoint-tables';
import { configurationPage, documentedSchemas } from './configuration';
import { permissionsPage } from './permissions';

const root = path.join(__dirname, '../..');

/** The pages that are generated: the file, and its text before formatting. */
const pages: Record<string, () => Promise<string>> = {
  'docs/configuration.md': async () => configurationPage(await documentedSchemas(root)),
  'apps/gateway/assets/asyncapi.json': () => Promise.resolve(JSON.stringify(asyncApiDocument(version()))),
  'docs/permissions.md': async () => permissionsPage(await endpointTables()),
};

/**
 * `npx tsx build/docs/main.ts` writes the documents that are generated from the code; with `--check` it
 * writes nothing and exits with 1 when one of them is stale.
 */
async function main(check: boolean): Promise<number> {
  let stale = 0;
  for (const [name, page] of Object.entries(pages)) {
    const file = path.join(root, name);
    const options = { ...(await prettier.resolveConfig(file)), filepath: file };
    const text = await prettier.format(await page(), options);
    if (existing(file) === text) continue;
    if (check) {
      stale += 1;
      console.log(`${name} is stale; write it with: npx tsx build/docs/main.ts`);
    } else {
      writeFileSync(file, text);
      console.log(`Wrote ${name}.`);
    }
  }
  return stale > 0 ? 1 : 0;
}

function version(): string {
  return (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

function existing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

main(process.argv.includes('--check')).then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
