import {
  auditFiltersMigration,
  auditClientRequestMigration,
  auditGuardMigration,
  auditInsertGuardMigration,
  auditMigration,
} from '@canvass/audit';
import { healthLogMigration } from '@canvass/health-log';
import {
  idempotencyEntityMigration,
  idempotencyMigration,
  nextIdGuardMigration,
  nextIdMigration,
  nextIdOrderMigration,
  type Migration,
} from '@canvass/postgres';
import { quotaMigration } from '@canvass/quotas';
import { tenantsAndUsers } from './20261120T1201_tenants_and_users';
import { serviceAccounts } from './20261120T1202_service_accounts';
import { refreshTokens } from './20261120T1203_refresh_tokens';
import { signingKeys } from './20261120T1204_signing_keys';
import { signInAttempts } from './20261120T1205_sign_in_attempts';
import { rateBudgets } from './20261121T0740_rate_budgets';
import { noRateBudgets } from './20261122T0910_no_rate_budgets';
import { respondentRole } from './20261122T0900_respondent_role';
import { revocations } from './20261122T1000_revocations';
import { sessions } from './20261122T1200_sessions';
import { emailPerTenant } from './20261122T1210_email_per_tenant';
import { lastSignIn } from './20261122T2300_last_sign_in';
import { passwordLinks } from './20261122T1250_password_links';
import { serviceAccountLimits } from './20261122T1230_service_account_limits';
import { secondFactors } from './20261122T1220_second_factors';
import { views } from './20261123T0400_views';
import { provedMailboxes } from './20261128T0100_proved_mailboxes';
import { makersOfLinks } from './20261128T0110_makers_of_links';
import { emailInSeveralTenants } from './20261122T1211_email_in_several_tenants';

/** All migrations of the schema `identity`, in order. The origin of this service in `next_id()` is 1. */
export const migrations: readonly Migration[] = [
  nextIdMigration('20261120T1200_next_id', 1),
  tenantsAndUsers,
  serviceAccounts,
  refreshTokens,
  signingKeys,
  signInAttempts,
  idempotencyMigration('20261121T0100_idempotency_keys'),
  rateBudgets,
  respondentRole,
  noRateBudgets,
  revocations,
  idempotencyEntityMigration('20261122T1100_idempotency_entity'),
  sessions,
  emailPerTenant,
  emailInSeveralTenants,
  secondFactors,
  serviceAccountLimits,
  passwordLinks,
  nextIdGuardMigration('20261122T1310_next_id_guard', 1),
  auditMigration('20261122T1330_audit'),
  auditGuardMigration('20261122T1350_audit_guard'),
  quotaMigration('20261122T2100_quotas'),
  lastSignIn,
  nextIdOrderMigration('20261122T2350_next_id_order', 1),
  healthLogMigration('20261123T0110_health_log'),
  views,
  auditFiltersMigration('20261124T0930_audit_filters'),
  provedMailboxes,
  makersOfLinks,
  auditInsertGuardMigration('20261128T0400_audit_insert_guard'),
  auditClientRequestMigration('20261128T0401_audit_client_request'),
];
