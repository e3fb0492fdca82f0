import path from 'node:path';
import { auditSchema } from '@canvass/audit';
import { healthLogSchema } from '@canvass/health-log';
import {
  foldSchema,
  idempotencySchema,
  nextIdSchema,
  schemaMigration,
  type Migration,
} from '@canvass/postgres';
import { quotasSchema } from '@canvass/quotas';

/** All migrations of the schema `identity`, in order. An applied one is never changed. */
export const migrations: readonly Migration[] = [
  schemaMigration(
    [
      nextIdSchema,
      foldSchema,
      idempotencySchema,
      auditSchema,
      quotasSchema,
      healthLogSchema,
      path.join(__dirname, 'schema.sql'),
    ],
    1,
  ),
];
