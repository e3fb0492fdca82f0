import Joi from 'joi';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigurationError, hostingSettings, loadConfig, loggingSettingsSchema } from '../src';

/** A folder for the files of one spec. */
export const folder = mkdtempSync(path.join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true }));

export const file = (name: string, content: unknown): string => {
  const full = path.join(folder, name);
  writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
  return full;
};

interface Provider {
  Name: string;
  Audience: string;
  RoleMap?: Record<string, string>;
}

interface Config {
  Service: {
    Hosting: { Port: number; InternalPort: number; HealthCheckPath: string; LivenessPath: string };
    Logging: { Level: string };
    Database: { Url: string; PoolMax: number };
    Submitter: { Fields: string[] };
    Auth: { Providers: Provider[] };
    Outbox: { DeliverToJobQueue: boolean };
    Optional?: { Url: string };
  };
}

export const schema = Joi.object<Config>({
  Service: Joi.object({
    Hosting: hostingSettings(3001, 9001),
    Logging: loggingSettingsSchema,
    Database: Joi.object({
      Url: Joi.string().uri().required().meta({ secret: true }).description('Connection string.'),
      PoolMax: Joi.number().integer().min(1).default(10).description('Connections.'),
    }).required(),
    Submitter: Joi.object({ Fields: Joi.array().items(Joi.string()).max(20).default([]) }).default(),
    Auth: Joi.object({
      Providers: Joi.array()
        .items(
          Joi.object({
            Name: Joi.string().required(),
            Audience: Joi.string().required(),
            RoleMap: Joi.object().pattern(Joi.string(), Joi.string()),
          }),
        )
        .default([]),
    }).default(),
    Outbox: Joi.object({ DeliverToJobQueue: Joi.boolean().default(false) }).default(),
    Optional: Joi.object({ Url: Joi.string().required() }),
  }).required(),
});

export const databaseUrl = 'postgres://u:hunter2@db/canvass';
export const base = { Service__Database__Url: databaseUrl };
export const load = (env: NodeJS.ProcessEnv = {}, argv: string[] = []): Config['Service'] =>
  loadConfig(schema, { argv, env: { ...base, ...env }, defaultsFile: path.join(folder, 'absent.json') })
    .Service;

export const faultsOf = (act: () => unknown): string[] => {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  throw new Error('It was accepted.');
};
