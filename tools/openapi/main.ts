import { mkdirSync, writeFileSync } from 'node:fs';
import { endpointTables } from '../routes/endpoint-tables';
import { publicDocument } from './public-document';

/** `npx tsx tools/openapi/main.ts` writes dist/openapi.json and names the operations that do not yet say what they answer. */
async function main(): Promise<void> {
  for (const [app, { public: outside, internal }] of await endpointTables()) {
    const silent = [...outside, ...internal].filter(({ answers }) => answers === undefined);
    console.log(`${app}: ${silent.map(({ operationId }) => operationId).join(', ') || 'all described'}`);
  }
  mkdirSync('dist', { recursive: true });
  writeFileSync('dist/openapi.json', JSON.stringify(await publicDocument(), null, 2));
  console.log('Wrote dist/openapi.json; look at it with: npx redocly lint dist/openapi.json');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
