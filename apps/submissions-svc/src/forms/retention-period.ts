import { requirePermission, type Principal } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import type { Tx } from '@canvass/postgres';
import { currentContext } from '@canvass/service-kit';
import { countExpiring } from '../submissions';
import type { FormChanges } from './form-body';
import type { FormRow } from './forms.sql';

/** The author of a period, for the trail of what it erases. */
export function setByCaller(): string {
  const { actor, requestId } = currentContext()!;
  return JSON.stringify({ actor, requestId });
}

/**
 * Setting a period erases what another permission protects.
 *
 * @throws {Problem} `permission_denied`
 */
export function assertMayExpire(principal: Principal, retentionDays: number | null): void {
  if (retentionDays !== null) requirePermission(principal, 'Submissions.Erase');
}

/**
 * Returns whether a change of a locked form shortens the period of its submissions. The caller must know what
 * it erases first.
 *
 * @throws {Problem} `permission_denied`, `confirmation_required` unless `retentionErases` is at least the
 * number of submissions that expire within a day
 */
export async function shortensPeriod(
  tx: Tx,
  principal: Principal,
  { view: { id, retentionDays: before } }: FormRow,
  { retentionDays: days = before, retentionErases = 0 }: FormChanges,
): Promise<boolean> {
  if (days === null || (before !== null && days >= before)) return false;
  assertMayExpire(principal, days);
  const [counted] = await tx.query(countExpiring({ tenantId: principal.tenantId, formId: id, days }));
  const erases = Number(counted!.expiring);
  if (erases > retentionErases)
    throw new Problem('confirmation_required', {
      detail: `This period erases ${erases} submissions in 24 hours. Repeat the request with retentionErases ${erases}.`,
      extra: { erases },
    });
  return true;
}
