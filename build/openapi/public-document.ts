import { defaultHealthPaths, healthOperations, type HttpOperation } from '@canvass/service-kit';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { endpointTables, exportsOf } from '../routes/endpoint-tables';
import { documentOf, type OpenApiDocument } from './document';
import { webhookDocumentOf } from './webhooks';

const file = path.join(__dirname, '../../package.json');
const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };

/** Describes what all services offer through the gateway, and what it offers itself, in one document. */
export async function publicDocument(): Promise<OpenApiDocument> {
  const tables = [...(await endpointTables()).values()];
  const services = tables.flatMap(({ public: endpoints }) => endpoints);
  return documentOf([...services, ...(await gatewayOperations())], { version });
}

/** Describes the requests that receivers of webhooks get. */
export const webhookDocument = (): OpenApiDocument => webhookDocumentOf(version);

/** The gateway's own; its health stands where it is unless configured otherwise. */
export async function gatewayOperations(): Promise<HttpOperation[]> {
  const { assetOperations } = (await exportsOf('gateway', 'assets/index.ts')) as {
    assetOperations: readonly HttpOperation[];
  };
  return [...assetOperations, ...Object.values(healthOperations(defaultHealthPaths))];
}
