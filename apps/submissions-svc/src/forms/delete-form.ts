import { recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import { announce } from './form-events';
import { deleteForm, lockForm } from './forms.sql';

/**
 * Soft-deletes a form, with the event `form.deleted`, which still uses the form's webhook settings.
 * Afterwards the form and its submissions are a 404.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`
 */
export async function removeForm(
  deps: { db: Database; wake(): void },
  {
    tenantId,
    formId,
    ifMatch,
    traceparent,
  }: { tenantId: string; formId: string; ifMatch: IfMatch; traceparent: string },
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [before] = await tx.query(lockForm({ tenantId, id: formId }));
    if (!before) throw notFound('form', formId);
    assertIfMatch(ifMatch, before.view.revision);
    const [deleted] = await tx.query(deleteForm({ tenantId, id: formId }));
    await recordAudit(tx, { tenantId, object: ['form', formId] });
    await announce(tx, 'form.deleted', tenantId, deleted!, traceparent);
    tx.afterCommit(() => deps.wake());
  });
}
