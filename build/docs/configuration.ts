import { describeConfig, type ConfigKey } from '@canvass/service-kit';
import type Joi from 'joi';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** One key as the services have it; services with different defaults are listed separately. */
interface DocumentedKey extends ConfigKey {
  services: string[];
  /** JSON text of the default → the services that have it. */
  defaults: Map<string, string[]>;
}

const introduction = `# Configuration

Generated from the joi schemas of the services by \`npx tsx build/docs/main.ts\`; do not edit. A test fails when it is stale.

Every service reads, the later one winning:

1. \`config.json\` in its working folder, or the file named by \`--config <file>\` or \`CANVASS_CONFIG\`: nested objects, \`{ "Service": { "Hosting": { "Port": 8080 } } }\`;
2. the environment, with \`__\` for \`:\`: \`Service:Hosting:Port\` is \`Service__Hosting__Port\`. A list is \`Service__X__0\`, \`Service__X__1\` … or one JSON text; so is a map. An empty variable counts as not set.

\`Service__Database__Url_FILE=/run/secrets/database-url\` reads \`Service:Database:Url\` from a file; so does any other key. At its start a service reports all faults, each naming its key;
an unknown key under \`Service\` is one. \`--print-config\` prints the effective values with secrets masked and exits.

\`provision\` is \`node dist/tools/provision.js\` ([first start](operate/start.md#first-start)). The gateway also reads two [variables of the web console](console.md#configuration).

In brackets: the type, its bounds (of the number, the characters, or the elements of a list), and the default.
`;

/** Reads the configuration schema of each service (an app with a `src/service.ts`). */
export async function configSchemas(root: string): Promise<Map<string, Joi.ObjectSchema>> {
  const schemas = new Map<string, Joi.ObjectSchema>();
  const apps = readdirSync(path.join(root, 'apps')).sort();
  for (const app of apps) {
    const folder = path.join(root, 'apps', app, 'src');
    if (!existsSync(path.join(folder, 'service.ts'))) continue;
    const { configSchema } = (await import(pathToFileURL(path.join(folder, 'config.ts')).href)) as {
      configSchema: Joi.ObjectSchema;
    };
    schemas.set(app, configSchema);
  }
  return schemas;
}

/** The same, and the schema of `provision`, which is no service. */
export async function documentedSchemas(root: string): Promise<Map<string, Joi.ObjectSchema>> {
  const file = path.join(root, 'tools/provision/config.ts');
  const { configSchema } = (await import(pathToFileURL(file).href)) as { configSchema: Joi.ObjectSchema };
  return (await configSchemas(root)).set('provision', configSchema);
}

/** The whole page as Markdown (not yet formatted). */
export function configurationPage(schemas: Map<string, Joi.ObjectSchema>): string {
  const keys = new Map<string, DocumentedKey>();
  for (const [service, schema] of schemas) {
    for (const key of describeConfig(schema)) {
      const known = keys.get(key.key) ?? { ...key, services: [], defaults: new Map<string, string[]>() };
      known.services.push(service);
      const value = key.default ?? '';
      known.defaults.set(value, [...(known.defaults.get(value) ?? []), service]);
      keys.set(key.key, known);
    }
  }
  const sections = new Map<string, DocumentedKey[]>();
  for (const key of keys.values()) {
    const section = key.key.split(':').slice(0, 2).join(':');
    sections.set(section, [...(sections.get(section) ?? []), key]);
  }
  const parts = [...sections]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => section(name, own, schemas.size - 1));
  return [introduction, ...parts].join('\n');
}

function section(name: string, keys: DocumentedKey[], everyService: number): string {
  const services = [...new Set(keys.flatMap((key) => key.services))].sort();
  const readers = services.length === everyService ? 'every service' : services.join(', ');
  const rows = new Map<string, string[]>();
  for (const key of keys) {
    const only = key.services.length === services.length ? [] : [`only ${key.services.join(', ')}`];
    const facts = [type(key), fallback(key), ...(key.secret ? ['secret'] : []), ...only];
    const row = ` (${facts.filter((fact) => fact !== '').join(', ')}): ${describe(key)}`;
    rows.set(row, [...(rows.get(row) ?? []), `\`${key.key}\``]);
  }
  const lines = [...rows].map(([row, names]) => `- ${names.join(', ')}${row}`);
  return `## ${name}\n\nRead by ${readers}.\n\n${lines.join('\n')}\n`;
}

/** The type with its bounds: of the number, of the characters, or of the elements of a list. */
function type({ type: name, allowed, min, max }: DocumentedKey): string {
  if (allowed.length > 0) return allowed.map((value) => `\`${value}\``).join(' or ');
  if (min !== null && max !== null) return `${name} ${min}–${max}`;
  if (max !== null) return `${name} ≤${max}`;
  return min === null ? name : `${name} ≥${min}`;
}

function fallback(key: DocumentedKey): string {
  if (key.required) return key.within === null ? '**required**' : `**required** with \`${key.within}\``;
  const values = [...key.defaults].filter(([value]) => value !== '');
  const [first] = values;
  if (first === undefined) return '';
  if (values.length === 1 && first[1].length === key.services.length) return `\`${first[0]}\``;
  return values.map(([value, services]) => `\`${value}\` ${services.join(', ')}`).join('; ');
}

function describe(key: DocumentedKey): string {
  const text = key.description.trim().replaceAll('<', '\\<').replaceAll('\n', ' ');
  return text === '' ? '' : `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
