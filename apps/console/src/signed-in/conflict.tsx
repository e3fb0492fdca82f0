import { Button, ForeignText, Notice, Table, type Column } from '@canvass/console-ui';
import { useId, useState } from 'react';
import { column } from './columns';
import styles from './editor.module.css';
import lists from './list.module.css';
import { useEditorTexts } from './editor-texts';
import { differing, merged, sideOf, type Member, type Side, type ThreeWay } from './three-way';

export interface ConflictProps<Draft> {
  members: readonly Member<Draft>[];
  three: ThreeWay<Draft>;
  isBusy: boolean;
  /** Saves a draft over the other change. */
  save(draft: Draft): void;
  /** Gives up the own change. */
  take(): void;
}

/**
 * Two changes that met: each member that differs, as it was, as one changed it, and as the other did. One
 * chooses for each. What only one of them changed is chosen already.
 */
export function Conflict<Draft>({ members, three, isBusy, save, take }: ConflictProps<Draft>) {
  const texts = useEditorTexts();
  const group = useId();
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const rows = differing(members, three);
  const { base, mine, theirs } = three;
  const sideNow = (member: Member<Draft>) => chosen[member.name] ?? sideOf(member, three);
  const value = (member: Member<Draft>, draft: Draft) => <ForeignText>{member.text(draft)}</ForeignText>;
  const choice = (member: Member<Draft>) => (
    <span className={lists.row}>
      {(['mine', 'theirs'] as const).map((side) => (
        <label key={side} className={styles.check}>
          <input
            type="radio"
            name={`${group}${member.name}`}
            aria-label={`${member.name}: ${texts[side]}`}
            checked={sideNow(member) === side}
            onChange={() => setChosen({ ...chosen, [member.name]: side })}
          />
          {texts[side]}
        </label>
      ))}
    </span>
  );
  const columns: Column<Member<Draft>>[] = [
    column('field', texts.field, ({ name }) => name),
    column('base', texts.before, (member) => value(member, base)),
    column('mine', texts.mine, (member) => value(member, mine)),
    column('theirs', texts.theirs, (member) => value(member, theirs)),
    column('choice', texts.kept, choice),
  ];
  const isOpen = rows.some((member) => sideNow(member) === null);
  return (
    <section className={styles.group} aria-label={texts.conflictTitle}>
      <Notice tone="bad">
        {texts.conflictTitle}. {texts.conflictText}
      </Notice>
      <Table label={texts.conflictTitle} columns={columns} rows={rows} keyOf={({ name }) => name} />
      <div className={lists.row}>
        <Button
          look="primary"
          disabled={isBusy || isOpen}
          onClick={() => save(merged(members, three, chosen))}
        >
          {texts.saveChoice}
        </Button>
        <Button disabled={isBusy} onClick={() => save(mine)}>
          {texts.keepMine}
        </Button>
        <Button disabled={isBusy} onClick={take}>
          {texts.takeTheirs}
        </Button>
      </div>
    </section>
  );
}
