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
import { quotasSchema } from '@canvass/quotas';

/**
 * The large tables, which an operator may partition by tenant (decision 0034). Each comes after those that it
 * references.
 */
export const tablesByTenant = [
  'submitters',
  'submissions',
  'submission_versions',
  'submission_links',
  'submission_comments',
] as const;

/** All migrations of the schema `submissions`, in order. An applied one is never changed. */
export const migrations: readonly Migration[] = [
  schemaMigration(
    [
      nextIdSchema,
      foldSchema,
      outboxSchema,
      idempotencySchema,
      auditSchema,
      quotasSchema,
      healthLogSchema,
      jobsSchema,
      path.join(__dirname, 'schema.sql'),
      path.join(__dirname, 'functions'),
    ],
    2,
  ),
];
