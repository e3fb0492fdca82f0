import { statement } from '@canvass/postgres';
import type { MailLanguage } from './alert-mail';

export interface AlertSettings {
  addresses: string[];
  language: MailLanguage;
  /** Null without an alert URL. */
  url: string | null;
  endpointId: string | null;
  /** `0` before the first save. */
  revision: string;
}

const select = `select s.addresses, s.language, e.url, s.endpoint_id as "endpointId", s.revision
  from alert_settings s left join endpoints e on e.tenant_id = s.tenant_id and e.id = s.endpoint_id
  where s.tenant_id = $tenantId`;

export const getAlertSettings = statement<{ tenantId: string }, AlertSettings>('alert_settings_get', select);

export const ensureAlertSettings = statement<{ tenantId: string }>(
  'alert_settings_ensure',
  `insert into alert_settings (tenant_id, addresses, language, revision) values ($tenantId, '{}', 'en', 0)
   on conflict do nothing`,
);

export const lockAlertSettings = statement<{ tenantId: string }, AlertSettings>(
  'alert_settings_lock',
  `${select} for no key update of s`,
);

/** The ids of a new version and of a new endpoint. */
export const newIds = statement<void, { version: string; endpointId: string }>(
  'alert_settings_new_ids',
  'select next_id() as version, next_id() as "endpointId"',
);

/** Returns whether the tenant had neither an address nor a URL before, and has one now. */
export const updateAlertSettings = statement<
  { tenantId: string; addresses: readonly string[]; language: MailLanguage; endpointId: string | null },
  { begins: boolean }
>(
  'alert_settings_update',
  `update alert_settings s set
     addresses = $addresses, language = $language, endpoint_id = $endpointId, revision = s.revision + 1,
     active_since = case when cardinality($addresses::text[]) > 0 or $endpointId::bigint is not null
                         then coalesce(s.active_since, now()) end
   where tenant_id = $tenantId
   returning s.active_since is not null and old.active_since is null as begins`,
);

/** Dead letters from before count as reported, and were in no mail. */
export const noteOlderDeadLetters = statement<{ tenantId: string }>(
  'alert_settings_note_older',
  `insert into alerts as a (tenant_id, endpoint_id, kind, episode, dead_letters, facts, created_at, mailed_at)
   select e.tenant_id, e.id, 'dead_letters', '-infinity', e.dead_letters, '{}', now(), '-infinity'
   from endpoints e where e.tenant_id = $tenantId and e.dead_letters > 0
   on conflict (tenant_id, endpoint_id, kind, episode) do update set
     id = excluded.id, dead_letters = excluded.dead_letters, created_at = excluded.created_at`,
);

/** The end of a test delivery; none before. */
export const findTestResult = statement<
  { tenantId: string; deliveryId: string },
  { status: string; outcome: string | null; statusCode: number | null }
>(
  'alert_settings_test_result',
  `select status, last_outcome as outcome, last_status_code as "statusCode" from deliveries
   where tenant_id = $tenantId and id = $deliveryId and status in ('delivered', 'dead', 'cancelled')`,
);
