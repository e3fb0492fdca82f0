import { readFileSync } from 'node:fs';
import path from 'node:path';
import { endpointTables } from '../routes/endpoint-tables';
import { documentOf, type OpenApiDocument } from './document';

/** What all services offer through the gateway, in one document. */
export async function publicDocument(): Promise<OpenApiDocument> {
  const file = path.join(__dirname, '../../package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  const tables = [...(await endpointTables()).values()];
  return documentOf(
    tables.flatMap(({ public: endpoints }) => endpoints),
    { version },
  );
}
