export { actorSchema, auditExample, auditMembers } from './answers';
export { difference, type Difference } from './difference';
export { insertAuditSql, type AuditExpressions } from './insert-audit.sql';
export { auditInternalRoutes, mostActions, readActions } from './internal-routes';
export {
  auditFiltersMigration,
  auditClientRequestMigration,
  auditGuardMigration,
  auditInsertGuardMigration,
  auditMigration,
} from './migration';
export { asOperator, auditOperations, recorded } from './operations';
export type { AuditFilter, AuditView } from './read.sql';
export { auditFacts, noTenant, recordAudit, type AuditEntry } from './record';
export { dropExpiredDays } from './retention';
export { sealAudit } from './seal';
export { auditSettingsSchema, type AuditSettings } from './settings';
export { createAuditTrail, type AuditTrailOptions } from './trail';
export { verifyAudit, type Verification, type VerifiedDay, type VerifyRange } from './verify';
