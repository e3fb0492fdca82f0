import { laneSql } from './lanes';

export const eventColumns =
  'lane, event_type, tenant_id, entity, entity_id, form_id, revision, settings, traceparent, data';

/** SQL expressions of the columns of an event. */
export interface EventExpressions {
  /** The `from` clause: one event per row. */
  from: string;
  type: string;
  tenantId: string;
  /** A name, not an expression. */
  entity: string;
  entityId: string;
  formId: string;
  revision: string;
  settings: string;
  traceparent: string;
  data: string;
}

/**
 * SQL that appends events to the outbox, for a hot path that writes them in the statement of its change (a
 * data-modifying CTE). What `append` says about locks and revisions applies.
 */
export const insertEventsSql = (event: EventExpressions): string => `
    insert into outbox (${eventColumns})
    select ${laneSql(event.entityId)}, ${event.type}, ${event.tenantId}, '${event.entity}', ${event.entityId},
      ${event.formId}, ${event.revision}, ${event.settings}, ${event.traceparent}, ${event.data}
    from ${event.from}`;
