import path from 'node:path';
import { auditSchema } from '@canvass/audit';
import { healthLogSchema } from '@canvass/health-log';
import { jobsSchema } from '@canvass/jobs';
import { outboxSchema } from '@canvass/outbox';
import {
  foldSchema,
  idempotencySchema,
  nextIdSchema,
  schemaMigration,
  type Migration,
} from '@canvass/postgres';

/** Bits 18–21 of this service's ids, so that ids of different services never meet. */
const origin = 4;

const files = [
  nextIdSchema,
  foldSchema,
  idempotencySchema,
  outboxSchema,
  auditSchema,
  healthLogSchema,
  jobsSchema,
  path.join(__dirname, 'schema.sql'),
  path.join(__dirname, 'functions'),
];

/** All migrations of the schema `webhooks`, in order. */
export const migrations: readonly Migration[] = [schemaMigration(files, origin)];
