import { Button, FieldErrors, toast } from '@canvass/console-ui';
import { useState, type ReactNode } from 'react';
import { Fault } from '../api';
import { FaultNotice, useAction, type Tagged } from './action';
import { Conflict } from './conflict';
import styles from './editor.module.css';
import { useEditorTexts } from './editor-texts';
import { submitting } from './fields';
import lists from './list.module.css';
import type { Member } from './three-way';
import { useErrorsByField } from './violations';

/** A member of a draft, as it is shown when two changes meet; a text is shown as it is. */
type Shown<Draft> = readonly [name: string, key: keyof Draft, text?: (draft: Draft) => string];

export interface EditorProps<Row, Draft> {
  current: Tagged<Row>;
  draftOf(record: Row): Draft;
  /** Members to compare after a refusal. */
  shown: readonly Shown<Draft>[];
  /** Saves the draft over the version with this tag. @throws {Fault} 412 if there is a newer one */
  save(draft: Draft, etag: string): Promise<Tagged<Row>>;
  /** Reads the newest version. */
  read(): Promise<Tagged<Row>>;
  /** A version was saved. */
  saved(next: Tagged<Row>): void;
  /** Returns whether the user may only look at it. */
  isReadOnly?: boolean;
  children(draft: Draft, set: (change: Partial<Draft>) => void): ReactNode;
}

/**
 * A form for a record that others may change, too. If their change was saved first, both are shown beside
 * each other and beside what they began with, and nothing is overwritten without a choice.
 */
export function Editor<Row, Draft extends object>(props: EditorProps<Row, Draft>) {
  const { current, draftOf, save, read, saved, children, shown, isReadOnly = false } = props;
  const texts = useEditorTexts();
  const [base, setBase] = useState(current);
  const [draft, setDraft] = useState(() => draftOf(current.record));
  const [theirs, setTheirs] = useState<Tagged<Row> | null>(null);
  const isChanged = !isSame(draft, draftOf(base.record));

  const settle = (next: Tagged<Row>) => {
    setBase(next);
    setDraft(draftOf(next.record));
    setTheirs(null);
  };
  const store = async (own: Draft, etag: string) => {
    setDraft(own);
    const next = await save(own, etag);
    settle(next);
    saved(next);
    toast(texts.saved);
  };
  const action = useAction(async (own: Draft, etag: string) => {
    try {
      await store(own, etag);
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 412) throw error;
      const newest = await read();
      // Members that are not in the form changed, such as the secret: there is nothing to choose.
      if (isSame(draftOf(newest.record), draftOf(base.record))) await store(own, newest.etag);
      else setTheirs(newest);
    }
  });
  const errors = useErrorsByField(action.fault);
  return (
    <form className={styles.editor} onSubmit={submitting(() => void action.run(draft, base.etag))}>
      <FieldErrors errors={errors}>
        {children(draft, (change) => setDraft({ ...draft, ...change }))}
      </FieldErrors>
      {theirs !== null && (
        <Conflict
          key={theirs.etag}
          members={shown.map(memberOf)}
          three={{ base: draftOf(base.record), mine: draft, theirs: draftOf(theirs.record) }}
          isBusy={action.isBusy}
          save={(own) => void action.run(own, theirs.etag)}
          take={() => settle(theirs)}
        />
      )}
      <FaultNotice fault={action.fault} />
      {!isReadOnly && (
        <div className={lists.row}>
          <Button look="primary" type="submit" disabled={!isChanged || action.isBusy || theirs !== null}>
            {action.isBusy ? texts.saving : texts.save}
          </Button>
          <span role="status">{isChanged && texts.notSaved}</span>
        </div>
      )}
    </form>
  );
}

const memberOf = <Draft,>([
  name,
  key,
  text = (draft) => String(draft[key]),
]: Shown<Draft>): Member<Draft> => ({
  name,
  text,
  take: (into, from) => ({ ...into, [key]: from[key] }),
});

/** Returns whether two drafts have the same values. */
export const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
