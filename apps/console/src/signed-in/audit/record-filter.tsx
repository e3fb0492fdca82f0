import { Button, Field, ForeignText } from '@canvass/console-ui';
import { useState } from 'react';
import { useAddress } from '../author';
import { textInput } from '../fields';
import type { Filter } from '../filter-picker';
import styles from '../filters.module.css';
import { useFound, type Found } from '../found';
import { useKindTexts } from '../kind-texts';
import type { ListState } from '../list-state';
import { FilterForm } from '../plain-filters';
import { useNames } from '../use-names';
import { useAuditTexts } from './texts';

/** A kind of the search as the audit trail names it. */
const typeOf = (kind: string): string =>
  kind === 'delivery' ? 'webhook_delivery' : kind.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);

/** Kinds that do something. */
const actors = ['user', 'service_account'];

/** The name of a record of the filters; its kind, if it has none. */
function useNameOf(type: string, id: string): string {
  const { kinds } = useKindTexts();
  const name = useNames(type).data?.names.get(id);
  const isUser = type === 'user' && id !== '';
  const address = useAddress(isUser ? { provider: 'Service', kind: 'user', subject: id } : null);
  return address ?? name ?? kinds[type] ?? type;
}

/** Filters for who did something, and for what it was done to: each is found by its name. */
export function useRecordFilters(list: ListState): Filter[] {
  const texts = useAuditTexts();
  const actor = list.filter('actor');
  const type = list.filter('objectType');
  const id = list.filter('objectId');
  const accounts = useNames('service_account').data?.names;
  // The address has the id of an actor, and not whether it is a user.
  const user = useNameOf('user', accounts === undefined || accounts.has(actor) ? '' : actor);
  const object = useNameOf(type, id);
  const who = {
    key: 'actor',
    title: texts.who,
    set: (found: Found | null) => list.setFilters({ actor: found?.id ?? '' }),
    isOffered: ({ kind }: Found) => actors.includes(typeOf(kind)),
    words: actor && (accounts?.get(actor) ?? user),
  };
  const what = {
    key: 'object',
    title: texts.object,
    set: (found: Found | null) =>
      list.setFilters({ objectType: found === null ? '' : typeOf(found.kind), objectId: found?.id ?? '' }),
    isOffered: ({ kind }: Found) => kind !== 'message',
    words: (type || id) && object,
  };
  return [who, what].map(({ key, title, words, set, isOffered }) => ({
    key,
    title,
    set: words === '' ? [] : [{ key: '', words: `${title}: ${words}`, remove: () => set(null) }],
    form: ({ close, back }) => (
      <RecordForm
        title={title}
        back={back}
        isOffered={isOffered}
        done={(found) => {
          set(found);
          close();
        }}
      />
    ),
  }));
}

interface RecordFormProps {
  title: string;
  back(): void;
  isOffered(found: Found): boolean;
  done(found: Found): void;
}

/** Finds a record by a part of its name. */
function RecordForm({ title, back, isOffered, done }: RecordFormProps) {
  const texts = useAuditTexts();
  const { kinds } = useKindTexts();
  const [typed, setTyped] = useState('');
  const found = useFound(typed).filter(isOffered);
  return (
    <FilterForm title={title} back={back}>
      <Field
        label={title}
        hint={texts.findRecord}
        type="search"
        autoFocus
        autoComplete="off"
        {...textInput(typed, setTyped)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div className={styles.list} role="group" aria-label={title}>
        {found.map((own) => (
          <Button key={`${own.kind} ${own.id}`} look="quiet" onClick={() => done(own)}>
            <ForeignText isCut>{own.name ?? kinds[typeOf(own.kind)] ?? own.kind}</ForeignText>
            <small>{kinds[typeOf(own.kind)] ?? own.kind}</small>
          </Button>
        ))}
      </div>
    </FilterForm>
  );
}
