export interface CheckerSetting {
  seed: string;
  /** Folder of the records. */
  dir: string;
  gatewayUrl: string;
  databaseUrl: string;
  amqpUrl: string;
  amqpManagementUrl: string;
  tenantId: string;
  adminEmail: string;
  adminPassword: string;
  clientId: string;
  clientSecret: string;
  targetRate: number;
  workers: number;
  /** A killed sender's delivery that is sent again later than this is a finding; null: only reported. */
  longestResendMs: number | null;
}
