import { Button, ForeignText, Icon, Reference } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { useState } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../../i18n';
import { useAddress } from '../author';
import { column } from '../columns';
import { CopyId } from '../copy-button';
import { isObject, membersOf } from '../../json-object';
import { Moment } from '../moment';
import { RecordName } from '../record-name';
import { textOf } from '../submitters/profile';
import styles from './audit.module.css';
import type { AuditRecord } from './query';
import { useAuditTexts } from './texts';

/** The columns of recorded actions. What changed is shown below an action on demand. */
export function useColumns(): readonly GridColumn<AuditRecord>[] {
  const texts = useAuditTexts();
  return [
    column('when', texts.when, ({ occurredAt }) => <Moment at={occurredAt} isExact />),
    column('who', texts.who, ({ actor }) => <Actor actor={actor} />),
    column('action', texts.action, ({ action }) => (
      <span title={action}>{texts.actionNames[action] ?? commandName(action, texts.command)}</span>
    )),
    column('object', texts.object, ({ object: { type, id } }) => (
      <span className={styles.object}>
        <Link
          href={`/audit?${new URLSearchParams({ objectType: type, ...(id !== null && { objectId: id }) }).toString()}`}
        >
          <span className={styles.name}>
            {type === 'user' ? <UserName id={id} /> : <RecordName kind={type} id={id} />}
          </span>
        </Link>
        {id !== null && <CopyId id={id} />}
      </span>
    )),
    column('address', texts.address, ({ address }) => address ?? '–'),
    column('changes', texts.changes, (record) => <Changes record={record} />),
  ];
}

/** The actions of operators are their commands: `ops.tenants_export` is `tenants export`. */
const commandName = (action: string, nameOf: (name: string) => string): string =>
  action.startsWith('ops.') ? nameOf(action.slice(4).replaceAll('_', ' ')) : action;

/** The address of a user. Each is read once for the whole page. */
function UserName({ id }: { id: string | null }) {
  const user = { provider: 'Service', kind: 'user', subject: id ?? '' };
  const address = useAddress(id === null ? null : user);
  return address === undefined ? (
    <RecordName kind="user" id={id} />
  ) : (
    <>
      <Icon name="users" />
      <ForeignText isCut>{address}</ForeignText>
    </>
  );
}

function Actor({ actor }: Pick<AuditRecord, 'actor'>) {
  const texts = useAuditTexts();
  const address = useAddress(actor);
  if (actor === null) return texts.system;
  const { kind, subject } = actor;
  const name = () => {
    if (address !== undefined) return <ForeignText isCut>{address}</ForeignText>;
    return kind === 'service' ? <RecordName kind="service_account" id={subject} /> : texts.actors[kind];
  };
  return (
    <Link href={`/audit?${new URLSearchParams({ actor: subject }).toString()}`}>
      <span className={styles.name}>{name()}</span>
    </Link>
  );
}

/** A value that differs, by the path of its member. */
interface Change {
  path: string;
  old: unknown;
  now: unknown;
}

/** The values that differ. Objects are compared member by member. */
function changesOf(before: unknown, after: unknown, path = ''): Change[] {
  if (!isObject(before) && !isObject(after))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, old: before, now: after }];
  const [old, now] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.flatMap((name) => changesOf(old[name], now[name], path === '' ? name : `${path}.${name}`));
}

/** The members that differ before and after, and the id of the request. */
function Changes({ record: { before, after, requestId } }: { record: AuditRecord }) {
  const common = useTexts();
  const texts = useAuditTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.changes}>
      <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? texts.hide : texts.show}
      </Button>
      {isOpen && (
        <dl>
          {changesOf(before, after).map(({ path, old, now }) => (
            <div key={path}>
              <dt>{path}</dt>
              <dd>
                <ForeignText isCut>{textOf(old)}</ForeignText> →{' '}
                <ForeignText isCut>{textOf(now)}</ForeignText>
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
