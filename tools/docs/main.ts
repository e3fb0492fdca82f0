import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';
import { configSchemas, configurationPage } from './configuration';

/**
 * `npx tsx tools/docs/main.ts` writes the documents that are generated from the code; with `--check` it writes nothing
 * and exits with 1 when one of them is stale.
 */
async function main(check: boolean): Promise<number> {
  const root = path.join(__dirname, '../..');
  const file = path.join(root, 'docs/configuration.md');
  const page = configurationPage(await configSchemas(root));
  const text = await prettier.format(page, { ...(await prettier.resolveConfig(file)), filepath: file });
  if (!check) {
    writeFileSync(file, text);
    console.log('Wrote docs/configuration.md.');
    return 0;
  }
  if (existing(file) === text) return 0;
  console.log('docs/configuration.md is stale; write it with: npx tsx tools/docs/main.ts');
  return 1;
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
