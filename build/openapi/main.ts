import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endpointTables } from '../routes/endpoint-tables';
import { permissionRoutes } from '../routes/permission-routes';
import { clientTypes } from './client-types';
import { publicDocument, webhookDocument } from './public-document';
import { webhookEventTypesOf } from './webhooks';

/**
 * `npx nx run build:openapi` writes what is generated from the endpoint definitions and kept in no
 * repository.
 */
async function main(): Promise<void> {
  const document = await publicDocument();
  const webhooks = webhookDocument();
  write('dist/openapi/openapi.json', JSON.stringify(document, null, 1));
  write('dist/openapi/openapi-webhooks.json', JSON.stringify(webhooks, null, 1));
  write('dist/openapi/webhook-event-types.json', JSON.stringify(webhookEventTypesOf(webhooks)));
  write('dist/openapi/permissions.json', JSON.stringify(permissionRoutes(await endpointTables()), null, 1));
  write('libs/client/dist/api.d.mts', await clientTypes(document, webhooks));
}

function write(name: string, text: string): void {
  const file = path.join(__dirname, '../..', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
