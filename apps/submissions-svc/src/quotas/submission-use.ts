import { every, type Loop } from '@canvass/async';
import type { Queryable } from '@canvass/postgres';
import { createBytesByAddress } from './bytes-by-address';
import type { SubmissionsQuotas } from './quota-rules';
import { sendUses, type UseRow } from './uses.sql';

/** The amount that a request adds to the uses of a form and its tenant. */
export interface Use {
  formId: string;
  /** The tenant of the caller; null for an anonymous one. */
  tenantId: string | null;
  creates: 0 | 1;
  /** Bytes of answers and metadata. */
  bytes: number;
}

/**
 * Counts creates and bytes of answers in memory. Each second, and at once after the first request of a form,
 * a process sends what it has counted and reads the sums of all processes (decision 0044). A request neither
 * waits for the database nor for another request.
 */
export interface SubmissionUse extends Loop {
  /**
   * Runs a write that adds `use`, which is counted before and taken back if the write fails.
   *
   * @throws {Problem} `daily_quota_exceeded`, or `quota_exceeded` for bytes; to an anonymous caller without
   * limit and use of the tenant
   */
  counted<T>(use: Use, write: () => Promise<T>): Promise<T>;
}

const sendEveryMs = 1_000;
/** The number of forms. Of more, those that were unused the longest are forgotten. */
const maxForms = 10_000;
const dayMs = 86_400_000;

interface Counts {
  creates: number;
  anonymous: number;
  bytes: number;
}

/** A tenant as all processes have counted it, and what this process has not sent yet. */
interface TenantUse {
  tenantId: string | null;
  day: number;
  submissions: number;
  answerBytes: number;
  limits: Readonly<SubmissionsQuotas['defaults']>;
  unsent: Counts;
}

interface FormUse {
  formId: string;
  /** Use of the tenant; before the first answer of the database, one without use for this form alone. */
  tenant: TenantUse;
  isKnown: boolean;
  day: number;
  anonymous: number;
  unsent: Counts;
  /** Writes in progress. */
  writing: number;
  /** A request used it since the last time that counts were sent. */
  isUsed: boolean;
}

const nothing = (): Counts => ({ creates: 0, anonymous: 0, bytes: 0 });
const isNothing = ({ creates, anonymous, bytes }: Counts) => creates === 0 && anonymous === 0 && bytes === 0;

function add(to: Counts, counts: Counts, sign: 1 | -1 = 1): void {
  to.creates += sign * counts.creates;
  to.anonymous += sign * counts.anonymous;
  to.bytes += sign * counts.bytes;
}

const today = () => Math.floor(Date.now() / dayMs);

export function createSubmissionUse({
  db,
  quotas,
  onError,
}: {
  db: Queryable;
  quotas: SubmissionsQuotas;
  onError(error: unknown): void;
}): SubmissionUse {
  const forms = new Map<string, FormUse>();
  const tenants = new Map<string, TenantUse>();
  const byAddress = createBytesByAddress();
  const loop = every(sendEveryMs, send, { onError });

  function formOf(formId: string): FormUse {
    const known = forms.get(formId);
    if (known !== undefined) {
      // The map keeps the order of the last uses.
      forms.delete(formId);
      forms.set(formId, known);
      return known;
    }
    const day = today();
    const { defaults: limits } = quotas;
    const tenant = { tenantId: null, day, submissions: 0, answerBytes: 0, limits, unsent: nothing() };
    const counts = { day, anonymous: 0, unsent: nothing() };
    const form = { formId, tenant, isKnown: false, ...counts, writing: 0, isUsed: false };
    forms.set(formId, form);
    return form;
  }

  /** The uses per day that were read on another day are over. */
  function refuse({ tenant, ...form }: FormUse, use: Use): void {
    const day = today();
    const { limits, unsent } = tenant;
    const check = (quota: keyof typeof limits, used: number, added: number) => {
      const limit = limits[quota];
      if (limit === 0 || used + added <= limit) return;
      throw quotas.refusal({ quota, limit, used: use.tenantId === null ? null : used });
    };
    if (use.creates > 0) {
      check('submissionsPerDay', (tenant.day === day ? tenant.submissions : 0) + unsent.creates, use.creates);
      if (use.tenantId === null)
        check(
          'anonymousSubmissionsPerFormAndDay',
          (form.day === day ? form.anonymous : 0) + form.unsent.anonymous,
          use.creates,
        );
    }
    if (use.tenantId === null && use.bytes > 0)
      check('anonymousBytesPerFormAddressAndDay', byAddress.used(use.formId, day), use.bytes);
    if (use.bytes > 0) check('answerBytes', tenant.answerBytes + unsent.bytes, use.bytes);
  }

  async function counted<T>(use: Use, write: () => Promise<T>): Promise<T> {
    const form = formOf(use.formId);
    // A form of another tenant is a 404, whatever that tenant has used.
    const isForeign = form.isKnown && use.tenantId !== null && use.tenantId !== form.tenant.tenantId;
    form.isUsed = true;
    if (!isForeign) refuse(form, use);
    const { creates, bytes } = use;
    const counts = { creates, anonymous: use.tenantId === null ? creates : 0, bytes };
    add(form.unsent, counts);
    add(form.tenant.unsent, counts);
    if (use.tenantId === null) byAddress.add(use.formId, bytes);
    form.writing += 1;
    try {
      const result = await write();
      if (!form.isKnown) loop.wake();
      return result;
    } catch (error) {
      add(form.unsent, counts, -1);
      add(form.tenant.unsent, counts, -1);
      if (use.tenantId === null) byAddress.add(use.formId, -bytes);
      if (!form.isKnown && form.writing === 1) forms.delete(use.formId); // may not exist
      throw error;
    } finally {
      form.writing -= 1;
    }
  }

  function forgetUnused(): void {
    if (forms.size <= maxForms) return;
    for (const [formId, form] of forms) {
      if (forms.size <= maxForms) break;
      if (form.writing === 0 && isNothing(form.unsent)) forms.delete(formId);
    }
    const kept = new Set([...forms.values()].map(({ tenant }) => tenant));
    for (const [tenantId, tenant] of tenants) if (!kept.has(tenant)) tenants.delete(tenantId);
  }

  async function send(): Promise<void> {
    forgetUnused();
    const active = [...forms.values()].filter(({ isUsed, unsent }) => isUsed || !isNothing(unsent));
    if (active.length === 0) return;
    for (const form of active) form.isUsed = false;
    const sent = new Map(active.map((form) => [form.formId, { ...form.unsent }]));
    const counts = [...sent.values()];
    const rows = await db.query(
      sendUses({
        formIds: [...sent.keys()],
        creates: counts.map(({ creates }) => creates),
        anonymous: counts.map(({ anonymous }) => anonymous),
        bytes: counts.map(({ bytes }) => bytes),
      }),
    );
    const found = new Map(rows.map((row) => [row.formId, row]));
    for (const form of active) {
      const row = found.get(form.formId);
      if (row === undefined) forms.delete(form.formId);
      else settle(form, row, sent.get(form.formId)!);
    }
  }

  function settle(form: FormUse, row: UseRow, sent: Counts): void {
    const tenant = tenants.get(row.tenantId) ?? form.tenant;
    tenants.set(row.tenantId, tenant);
    if (tenant !== form.tenant) {
      add(tenant.unsent, form.unsent);
      form.tenant = tenant;
    }
    add(form.unsent, sent, -1);
    add(tenant.unsent, sent, -1);
    form.isKnown = true;
    form.day = row.day;
    form.anonymous = Number(row.anonymous);
    tenant.tenantId = row.tenantId;
    tenant.day = row.day;
    tenant.submissions = Number(row.submissions);
    tenant.answerBytes = Number(row.answerBytes);
    const own = Object.entries(row.limits ?? {}).map(([quota, most]) => [quota, Number(most)] as const);
    tenant.limits = { ...quotas.defaults, ...Object.fromEntries(own) };
  }

  return {
    counted,
    start: () => loop.start(),
    wake: () => loop.wake(),
    async stop() {
      await loop.stop();
      await send().catch(onError);
    },
  };
}
