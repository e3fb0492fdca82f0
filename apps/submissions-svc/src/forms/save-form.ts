import { recordAudit } from '@canvass/audit';
import { requirePermission, type Principal } from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import type { Queryable, Tx } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import { countDuplicates, countDuplicatesSince } from '../submissions';
import {
  announceVersion,
  assertEndpointQuota,
  checkSettings,
  parseSettings,
  saveVersion,
  type WebhookSettingsDeps,
} from '../webhook-settings';
import { assertWindow, type FormChanges } from './form-body';
import { announce } from './form-events';
import { columnsOf, formChanges } from './form-record';
import { keepDefinition } from './form-versions';
import { assertMayChange } from './guarded-members';
import {
  countPlaces,
  getForm,
  lockForm,
  lockFormAgainstCreates,
  nextId,
  updateForm,
  type FormRow,
} from './forms.sql';
import { setByCaller, shortensPeriod } from './retention-period';

export interface FormChange {
  caller: Principal;
  formId: string;
  /**
   * Members to change. Absent ones do not change. PUT passes `webHookSettingsJson: null` if the client
   * omitted it.
   */
  body: FormChanges;
  ifMatch: IfMatch;
  traceparent: string;
}

/**
 * Changes a form. Every update counts, even without a difference: revision + 1 and `form.updated`, preceded
 * by `form.enabled_state_changed` if `isEnabled` changed. The settings in force after the change govern both
 * events.
 *
 * @throws {Problem} `not_found`, `permission_denied`, `revision_mismatch`, `validation_failed` for invalid
 * webhook settings, `quota_exceeded` for too many of their endpoints, `confirmation_required` for a shorter
 * period, `duplicate_submissions` if the gate is turned on while a respondent has several submissions
 */
export async function saveForm(deps: WebhookSettingsDeps, change: FormChange): Promise<FormRow> {
  const { caller, formId, body, traceparent } = change;
  const { tenantId } = caller;
  const text = body.webHookSettingsJson;
  // Before the network is asked for its addresses.
  if (typeof text === 'string') requirePermission(caller, 'WebHooks.View');
  const override = typeof text === 'string' ? parseSettings(text) : null;
  if (override) await checkSettings(override, deps.rules);
  const since = body.limitOnePerUser === true ? await countBeforeGate(deps.db, change) : null;
  return deps.db.transaction(async (tx) => {
    const before = await locked(tx, change);
    assertMayChange(caller, body, before);
    const merged = { ...before.view, ...body };
    assertWindow(merged);
    if (merged.limitOnePerUser && !before.view.limitOnePerUser) await refuseNewDuplicates(tx, change, since);
    const shortens = await shortensPeriod(tx, caller, before, body);
    const setBy = merged.retentionDays === before.view.retentionDays ? null : setByCaller();

    const scope = { tenantId, scope: 'form', scopeId: formId } as const;
    const stored = { json: before.web_hook_settings_json, version: before.webhook_settings_version };
    const { newVersion, ...settings } =
      text === undefined
        ? { ...stored, newVersion: null }
        : await saveVersion(tx, deps, { ...scope, settings: override, stored });

    const columns = columnsOf(merged, settings, setBy);
    const [after] = await tx.query(updateForm({ tenantId, id: formId, ...columns, shortens }));
    if (body.definition !== undefined) await keepDefinition(tx, tenantId, formId);
    if (typeof body.maxSubmissions === 'number') await tx.query(countPlaces({ tenantId, id: formId }));
    await assertEndpointQuota(tx, deps.quotas, tenantId, { before: stored.json, after: settings.json });
    await recordAudit(tx, { tenantId, object: ['form', formId], ...formChanges(before, after!) });
    const { revision, isEnabled } = after!.view;
    if (newVersion !== null)
      await announceVersion(tx, { ...scope, version: newVersion, revision, traceparent });
    if (isEnabled !== before.view.isEnabled)
      await announce(tx, 'form.enabled_state_changed', tenantId, after!, traceparent);
    await announce(tx, 'form.updated', tenantId, after!, traceparent);
    tx.afterCommit(() => deps.wake());
    return after!;
  });
}

async function locked(tx: Tx, { caller, formId, body, ifMatch }: FormChange): Promise<FormRow> {
  const limits = body.limitOnePerUser === true || typeof body.maxSubmissions === 'number';
  const lock = limits ? lockFormAgainstCreates : lockForm;
  const [form] = await tx.query(lock({ tenantId: caller.tenantId, id: formId }));
  return existing(form, formId, ifMatch);
}

function existing(form: FormRow | undefined, formId: string, ifMatch: IfMatch): FormRow {
  if (!form) throw notFound('form', formId);
  assertIfMatch(ifMatch, form.view.revision);
  return form;
}

/**
 * Counts the submissions of a form before it is locked for the gate: creates would wait for as long as it
 * takes. Returns the id of the present; null if the gate is on already.
 */
async function countBeforeGate(
  db: Queryable,
  { caller: { tenantId }, formId, ifMatch }: FormChange,
): Promise<string | null> {
  const [form] = await db.query(getForm({ tenantId, id: formId }));
  if (existing(form, formId, ifMatch).view.limitOnePerUser) return null;
  const [now] = await db.query(nextId());
  const [counted] = await db.query(countDuplicates({ tenantId, formId }));
  refuseDuplicates(counted!);
  return now!.id;
}

/**
 * Counts, under the lock of the form, for the respondents who have submissions since the first count. If
 * there was none, because the gate was turned off meanwhile, it counts for all.
 */
async function refuseNewDuplicates(
  tx: Tx,
  { caller: { tenantId }, formId }: FormChange,
  since: string | null,
): Promise<void> {
  const form = { tenantId, formId };
  const [counted] = await tx.query(
    since === null ? countDuplicates(form) : countDuplicatesSince({ ...form, since }),
  );
  refuseDuplicates(counted!);
}

function refuseDuplicates(counted: { respondents: string; submissions: string }): void {
  const respondents = Number(counted.respondents);
  if (respondents === 0) return;
  throw new Problem('duplicate_submissions', {
    detail: `${respondents} respondents have more than one submission of this form, ${counted.submissions} in total.`,
    extra: { duplicateRespondents: respondents, duplicateSubmissions: Number(counted.submissions) },
  });
}
