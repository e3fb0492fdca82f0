import { Button, ForeignText, Reference, Table, type Column } from '@canvass/console-ui';
import { useState } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../i18n';
import { Moment } from '../moment';
import styles from './audit.module.css';
import { useActorNames, type AuditRecord } from './query';
import { useAuditTexts } from './texts';

/** Recorded actions as a table. What changed is shown below an action on demand. */
export function Records({ records }: { records: readonly AuditRecord[] }) {
  const texts = useAuditTexts();
  const names = useActorNames(records);
  const columns: Column<AuditRecord>[] = [
    { key: 'when', title: texts.when, cell: ({ occurredAt }) => <Moment at={occurredAt} /> },
    { key: 'who', title: texts.who, cell: ({ actor }) => <Actor actor={actor} names={names} /> },
    { key: 'action', title: texts.action, cell: ({ action }) => <code>{action}</code> },
    {
      key: 'object',
      title: texts.object,
      cell: ({ object: { type, id } }) => (
        <Link
          href={`/audit?${new URLSearchParams({ objectType: type, ...(id !== null && { objectId: id }) }).toString()}`}
        >
          {type} {id}
        </Link>
      ),
    },
    { key: 'address', title: texts.address, cell: ({ address }) => address ?? '–' },
    { key: 'changes', title: texts.changes, cell: (record) => <Changes record={record} /> },
  ];
  return <Table label={texts.actions} columns={columns} rows={records} keyOf={({ id }) => id} />;
}

interface ActorProps {
  actor: AuditRecord['actor'];
  names: ReadonlyMap<string, string>;
}

function Actor({ actor, names }: ActorProps) {
  const texts = useAuditTexts();
  if (actor === null) return texts.system;
  const search = new URLSearchParams({ actor: actor.subject }).toString();
  return (
    <Link href={`/audit?${search}`}>
      <ForeignText isCut>{names.get(actor.subject) ?? `${actor.kind} ${actor.subject}`}</ForeignText>
    </Link>
  );
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

/** The members that differ before and after, and the id of the request. */
function Changes({ record: { before, after, requestId } }: { record: AuditRecord }) {
  const common = useTexts();
  const texts = useAuditTexts();
  const [isOpen, setOpen] = useState(false);
  const [old, now] = [before, after] as (Record<string, unknown> | null)[];
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].filter(
    (name) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]),
  );
  return (
    <div className={styles.changes}>
      <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? texts.hide : texts.show}
      </Button>
      {isOpen && (
        <dl>
          {names.map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <ForeignText isCut>{textOf(old?.[name])}</ForeignText> →{' '}
                <ForeignText isCut>{textOf(now?.[name])}</ForeignText>
              </dd>
            </div>
          ))}
          {requestId !== null && (
            <div>
              <dt>{common.requestId}</dt>
              <dd>
                <Reference>{requestId}</Reference>
              </dd>
            </div>
          )}
        </dl>
      )}
    </div>
  );
}
