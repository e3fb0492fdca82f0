import type { AlertKind, EndpointScope, WebhookAlert } from '@canvass/contracts';
import { statement } from '@canvass/postgres';
import type { MailLanguage } from './alert-mail';

/** An alert that is to be made, and the endpoint as it is. */
export interface FoundAlert {
  id: string;
  tenantId: string;
  endpointId: string;
  kind: AlertKind;
  episode: string;
  /** The same as a date. */
  began: Date;
  scope: EndpointScope;
  scopeId: string;
  url: string;
  failingSince: Date | null;
  disabledReason: WebhookAlert['disabledReason'];
  /** Dead letters of the endpoint, and those of them that no alert has reported. */
  deadLetters: string;
  unreported: string;
  now: Date;
  /** The endpoint of the alert URL of the tenant; null without a URL. */
  targetId: string | null;
}

const failsFor = (seconds: string) =>
  `e.disabled_at is null and e.failing_since <= now() - ${seconds} * interval '1 second'`;

/**
 * The alerts of all tenants that no row of `alerts` has, in the order of endpoints. `said` is the last one of
 * an endpoint. An endpoint without anything to send does not fail because of an old test.
 */
export const findAlerts = statement<
  { failingSeconds: number; disableSeconds: number; rows: number },
  FoundAlert
>(
  'alerts_find',
  `select next_id() as id, f.* from (
     select e.tenant_id as "tenantId", e.id as "endpointId", k.kind, k.episode::text as episode,
       k.episode as began, e.scope,
       e.scope_id as "scopeId", e.url, e.failing_since as "failingSince", e.disabled_reason as "disabledReason",
       e.dead_letters as "deadLetters", e.dead_letters - coalesce(reported.dead_letters, 0) as unreported,
       now() as now, s.endpoint_id as "targetId"
     from alert_settings s
     join endpoints e on e.tenant_id = s.tenant_id and e.removed_at is null
     left join lateral (
       select a.kind, a.episode, a.created_at from alerts a
       where a.tenant_id = e.tenant_id and a.endpoint_id = e.id and a.kind <> 'dead_letters'
       order by a.tenant_id, a.endpoint_id, a.id desc limit 1) said on true
     left join lateral (
       select a.dead_letters from alerts a
       where a.tenant_id = e.tenant_id and a.endpoint_id = e.id and a.kind in ('dead_letters', 'recovered')
       order by a.tenant_id, a.endpoint_id, a.id desc limit 1) reported on true
     cross join lateral (values
       (1, 'failing', e.failing_since,
        ${failsFor('$failingSeconds::float8')} and (e.first_due is not null or e.in_flight > 0)),
       (2, 'dead_letters', coalesce(case when said.kind <> 'recovered' then said.episode end, e.failing_since,
                                    date_bin('1 day', now(), '2026-01-01T00:00:00Z')),
        e.dead_letters > coalesce(reported.dead_letters, 0)),
       (3, 'disable_soon', e.failing_since,
        ${failsFor('($disableSeconds::float8 - 86400)')} and said.kind = 'failing' and said.episode = e.failing_since),
       (4, 'disabled', coalesce(e.failing_since, e.disabled_at),
        e.disabled_at >= s.active_since and (said.kind = 'disabled' and said.created_at >= e.disabled_at) is not true),
       (5, 'recovered', said.episode,
        e.disabled_at is null and e.failing_since is null and said.kind <> 'recovered'
          and e.last_success_at > said.episode)
     ) k (place, kind, episode, holds)
     where s.active_since is not null and k.holds and not exists (
       select from alerts a
       where a.tenant_id = e.tenant_id and a.endpoint_id = e.id and a.kind = k.kind and a.episode = k.episode)
     order by e.tenant_id, e.id, k.place limit $rows) f`,
);

/** `alerts`: JSON array of rows. A row for each that was not there. */
export const insertAlerts = statement<{ alerts: string }, { id: string }>(
  'alerts_insert',
  `insert into alerts (tenant_id, id, endpoint_id, kind, episode, dead_letters, facts, created_at)
   select g.*, now() from json_to_recordset($alerts::json) as g (
     tenant_id bigint, id bigint, endpoint_id bigint, kind text, episode timestamptz, dead_letters bigint, facts json)
   on conflict (tenant_id, endpoint_id, kind, episode) do nothing
   returning id`,
);

/** Makes a message and a delivery to the alert URL of each. `alerts`: JSON array; `body` is text. */
export const sendAlerts = statement<{ alerts: string; eventName: string; entity: string; action: string }>(
  'alerts_send',
  `with given as (
     select * from json_to_recordset($alerts::json) as g (
       id bigint, tenant_id bigint, target_id bigint, endpoint_id bigint, form_id bigint, body text)
   ), locked as (
     select e.tenant_id, e.id as target_id from endpoints e
     where (e.tenant_id, e.id) in (select tenant_id, target_id from given)
     order by e.tenant_id, e.id for no key update
   ), message as (
     insert into messages (tenant_id, id, event_name, entity, action, body, occurred_at)
     select tenant_id, id, $eventName, $entity, $action, convert_to(body, 'UTF8'), now()
     from given join locked using (tenant_id, target_id)
   ), due as (
     update endpoints e set first_due = least(e.first_due, now())
     from locked l where e.tenant_id = l.tenant_id and e.id = l.target_id
   )
   insert into waiting (tenant_id, message_id, endpoint_id, event_name, entity_id, form_id, occurred_at, due_at)
   select tenant_id, id, target_id, $eventName, endpoint_id, form_id, now(), now()
   from given join locked using (tenant_id, target_id)`,
);

/** No mail of the last hour was about the endpoint of the alert `a`. */
const isFree = `not exists (
  select from alerts m
  where m.tenant_id = a.tenant_id and m.endpoint_id = a.endpoint_id and m.mailed_at > now() - interval '1 hour')`;

/** Tenants with an alert that waits for its mail, and for `gatherSeconds` already. */
export const findDigests = statement<
  { gatherSeconds: number; rows: number },
  { tenantId: string; addresses: string[]; language: MailLanguage }
>(
  'alerts_find_digests',
  `select s.tenant_id as "tenantId", s.addresses, s.language from alert_settings s
   where exists (
     select from alerts a
     where a.tenant_id = s.tenant_id and a.mailed_at is null
       and a.created_at <= now() - $gatherSeconds::float8 * interval '1 second' and ${isFree})
   order by s.tenant_id limit $rows`,
);

/** Takes what waits for the mail, but not what is about an endpoint of a mail of the last hour. */
export const takePending = statement<{ tenantId: string }, { id: string; facts: WebhookAlert }>(
  'alerts_take_pending',
  `update alerts a set mailed_at = now() where a.tenant_id = $tenantId and a.mailed_at is null and ${isFree}
   returning a.id, a.facts`,
);

export const insertMails = statement<{
  tenantId: string;
  addresses: readonly string[];
  language: string;
  subject: string;
  body: string;
}>(
  'alerts_insert_mails',
  `insert into alert_mails (tenant_id, address, language, subject, body, created_at, due_at)
   select $tenantId, address, $language, $subject, $body, now(), now() from unnest($addresses::text[]) address`,
);

export interface WaitingMail {
  tenantId: string;
  id: string;
  address: string;
  language: string;
  subject: string;
  body: string;
}

/**
 * Takes mails that are due. Each is due again after 2, 4, 8, 16 and then 30 minutes, by when its attempt has
 * ended.
 */
export const claimMails = statement<{ rows: number }, WaitingMail>(
  'alerts_claim_mails',
  `with due as (
     select tenant_id, id from alert_mails where due_at <= now() order by due_at limit $rows for update skip locked
   )
   update alert_mails m set attempts = m.attempts + 1,
     due_at = now() + least(30, power(2, m.attempts + 1)) * interval '1 minute'
   from due where m.tenant_id = due.tenant_id and m.id = due.id
   returning m.tenant_id as "tenantId", m.id, m.address, m.language, m.subject, m.body`,
);

export const deleteMail = statement<{ tenantId: string; id: string }>(
  'alerts_delete_mail',
  'delete from alert_mails where tenant_id = $tenantId and id = $id',
);

/** Drops mails that no server accepted within a day. */
export const dropMails = statement<void, { id: string }>(
  'alerts_drop_mails',
  `delete from alert_mails where created_at < now() - interval '1 day' returning id`,
);
