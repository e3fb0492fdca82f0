import { append } from '@canvass/outbox';
import type { Tx } from '@canvass/postgres';
import type { ChangedFormRow } from './forms.sql';

type FormEvent = 'form.created' | 'form.updated' | 'form.enabled_state_changed' | 'form.deleted';

/** Adds an event of a changed form to the outbox, with the settings in force after the change. */
export async function announce(
  tx: Tx,
  type: FormEvent,
  tenantId: string,
  { view, settings }: ChangedFormRow,
  traceparent: string,
): Promise<void> {
  await append(tx, {
    type,
    tenantId,
    entity: 'form',
    entityId: view.id,
    formId: view.id,
    revision: view.revision,
    settings,
    traceparent,
    data: view,
  });
}
