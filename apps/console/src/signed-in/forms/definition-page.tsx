import { Button, Notice, Panel } from '@canvass/console-ui';
import { readJson, writeJson } from '@canvass/json-numbers';
import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Fault } from '../../api';
import { attempt } from '../../attempt';
import { FaultNotice, useAction } from '../action';
import { api, exactDataOf } from '../api';
import { FormFrame, usePreviewed, type Form } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';
import { may, useMe } from '../me';
import lists from '../list.module.css';
import styles from './definition.module.css';
import { namedIn } from './definition';
import { Difference } from './difference';
import { keepDraft, keptDraft } from './draft';
import JsonEditor from './json-editor';
import { faultsOf, isBlocking, placeOf, type JsonFault } from './json-faults';
import { PermitLists } from './permit-lists';
import { Preview } from './preview';

/** The definition of a form as JSON, with its faults and what a save changes. */
export default function DefinitionPage() {
  return <FormFrame>{(form) => <Definition key={form.id} form={form} />}</FormFrame>;
}

/** What a save replaces. */
type Version = Pick<Form, 'revision' | 'dataListIds'>;

const textOf = ({ definition }: Pick<Form, 'definition'>): string => writeJson(definition, undefined, 2);

/** The text in the notation of a save; as it is, if it is no JSON. */
const normal = (text: string): string => attempt(() => writeJson(readJson(text), undefined, 2)) ?? text;

function Definition({ form }: { form: Form }) {
  const texts = useFormTexts();
  const me = useMe();
  const client = useQueryClient();
  const { number } = useFormats();
  const [kept] = useState(() => keptDraft(me.subject, form.id));
  const [base, setBase] = useState(kept ?? { base: textOf(form), revision: form.revision });
  const [text, setText] = useState(kept?.text ?? base.base);
  const [isFormer, setFormer] = useState(kept !== null);
  const [theirs, setTheirs] = useState<Form | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const [target, setTarget] = useState<{ at: number } | null>(null);
  const [isRefused, setRefused] = useState(false);
  const [asked, setAsked] = useState<{ over: Version; missing: string[] } | null>(null);
  const isPreviewed = usePreviewed();

  // Typing stays fast while faults and differences are found.
  const settled = useDeferredValue(text);
  const faults = useMemo(() => faultsOf(settled), [settled]);
  const written = useMemo(() => normal(settled), [settled]);
  const isChanged = normal(text) !== base.base;
  const mayChange = may(me, 'changeForm');

  useEffect(() => {
    const draft = isChanged ? { text, base: base.base, revision: base.revision } : null;
    keepDraft(me.subject, form.id, draft);
  }, [me.subject, form.id, text, base, isChanged]);

  const settle = (next: Form, replaced: string) => {
    setBase({ base: textOf(next), revision: next.revision });
    // What was typed while the save ran stays.
    setText((current) => (current === replaced ? textOf(next) : current));
    setTheirs(null);
    setFormer(false);
    client.setQueryData(['form', form.id], next);
  };
  const store = async ({ revision, dataListIds }: Version, permitted: readonly string[]) => {
    const next = await exactDataOf<Form>(
      api.PATCH('/api/forms/{formId}', {
        params: { path: { formId: form.id }, header: { 'If-Match': `"${revision}"` } },
        body: {
          definition: readJson(text) as Form['definition'],
          ...(permitted.length > 0 && { dataListIds: [...dataListIds, ...permitted] }),
        },
        bodySerializer: writeJson,
        parseAs: 'text',
      }),
    );
    settle(next, text);
    setSaved(next.revision);
    await client.invalidateQueries({ queryKey: ['form versions', form.id] });
  };
  const action = useAction(async (over: Version, permitted: readonly string[] = []) => {
    setSaved(null);
    setAsked(null);
    try {
      await store(over, permitted);
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 412) throw error;
      const params = { path: { formId: form.id } };
      const newest = await exactDataOf<Form>(api.GET('/api/forms/{formId}', { params, parseAs: 'text' }));
      // Other members of the form changed: there is nothing to choose.
      if (textOf(newest) === base.base)
        await store(
          newest,
          permitted.filter((id) => !newest.dataListIds.includes(id)),
        );
      else setTheirs(newest);
    }
  });
  /** Saves over a version, or asks first whether the form may read all lists that the text names. */
  const saveOver = (over: Version) => {
    const { lists } = namedIn(JSON.parse(text) as object);
    const missing = [...lists].filter((id) => !over.dataListIds.includes(id));
    if (missing.length > 0) setAsked({ over, missing });
    else void action.run(over);
  };
  const save = () => {
    if (!mayChange || !isChanged || theirs !== null) return;
    const blocking = faultsOf(text).filter(isBlocking);
    setRefused(blocking.length > 0);
    if (blocking.length > 0) setTarget({ at: blocking[0]!.from });
    else saveOver({ revision: base.revision, dataListIds: form.dataListIds });
  };
  const discard = () => {
    setBase({ base: textOf(form), revision: form.revision });
    setText(textOf(form));
    setTheirs(null);
    setFormer(false);
    setRefused(false);
  };
  const marks = useMemo(() => {
    const messageOf = ({ kind, name }: JsonFault): string =>
      ({ syntax: texts.faultSyntax, object: texts.faultObject, duplicate: texts.faultDuplicate(name) })[kind];
    return faults.map((fault) => ({ ...fault, isError: isBlocking(fault), message: messageOf(fault) }));
  }, [faults, texts]);
  return (
    <div
      className={lists.side}
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
        event.preventDefault();
        save();
      }}
    >
      {asked !== null && (
        <PermitLists
          ids={asked.missing}
          save={(permitted) => void action.run(asked.over, permitted)}
          close={() => setAsked(null)}
        />
      )}
      {isFormer && isChanged && <Notice tone="warn">{texts.draftShown}</Notice>}
      <div className={isPreviewed ? styles.beside : lists.side}>
        <div className={lists.side}>
          <Panel
            title={texts.definition}
            tools={
              <div className={lists.row}>
                {mayChange && (
                  <>
                    <Button onClick={() => setText(written)} disabled={faults.some(isBlocking)}>
                      {texts.format}
                    </Button>
                    {isChanged && <Button onClick={discard}>{texts.discardDraft}</Button>}
                    <Button
                      look="primary"
                      onClick={save}
                      disabled={!isChanged || action.isBusy || theirs !== null}
                    >
                      {action.isBusy ? texts.saving : texts.save}
                    </Button>
                  </>
                )}
              </div>
            }
          >
            <div className={styles.notes}>
              <p className={lists.soft}>{texts.definitionHint}</p>
              <FaultNotice fault={action.fault} />
              {isRefused && faults.some(isBlocking) && <Notice tone="bad">{texts.notSent}</Notice>}
              <p role="status" className={lists.soft}>
                {isChanged
                  ? texts.unsaved
                  : saved !== null && (
                      <>
                        {texts.savedAs(saved)} <Link href={`/forms/${form.id}/share`}>{texts.shareForm}</Link>
                        {' · '}
                        <Link href={`/forms/${form.id}/settings/versions`}>{texts.tabVersions}</Link>
                      </>
                    )}
              </p>
            </div>
            <JsonEditor
              label={texts.definition}
              value={text}
              setValue={setText}
              isReadOnly={!mayChange}
              marks={marks}
              target={target}
            />
          </Panel>
          {faults.length > 0 && (
            <Panel title={texts.faults(number(faults.length))}>
              <ul className={styles.notes}>
                {marks.map(({ kind, from, message }) => {
                  const { line, column } = placeOf(settled, from);
                  return (
                    <li key={`${kind} ${from}`}>
                      <Button look="quiet" onClick={() => setTarget({ at: from })}>
                        {texts.faultAt(number(line), number(column))}
                      </Button>
                      {message}
                    </li>
                  );
                })}
              </ul>
            </Panel>
          )}
        </div>
        {isPreviewed && <Preview text={written} isBroken={faults.some(isBlocking)} />}
      </div>
      {theirs !== null ? (
        <Panel title={texts.conflictTitle}>
          <div className={styles.notes}>
            <Notice tone="bad">{texts.conflictText}</Notice>
            <div className={lists.row}>
              <Button disabled={action.isBusy} onClick={() => saveOver(theirs)}>
                {texts.keepMine}
              </Button>
              <Button onClick={() => settle(theirs, text)}>{texts.takeTheirs}</Button>
            </div>
          </div>
          <Difference label={texts.conflictTitle} before={textOf(theirs)} after={written} />
          <h3 className={styles.notes}>{texts.theirChanges}</h3>
          <Difference label={texts.theirChanges} before={base.base} after={textOf(theirs)} />
          <h3 className={styles.notes}>{texts.yourChanges}</h3>
          <Difference label={texts.yourChanges} before={base.base} after={written} />
        </Panel>
      ) : (
        isChanged && (
          <Panel title={texts.changes}>
            <Difference label={texts.changes} before={base.base} after={written} />
          </Panel>
        )
      )}
    </div>
  );
}
