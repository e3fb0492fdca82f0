import { Button, FieldErrors } from '@canvass/console-ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useParams } from 'wouter';
import { Fault } from '../../api';
import { useTexts } from '../../i18n';
import { FaultNotice, useAction } from '../action';
import { Answer } from '../answer';
import { RadioPanel } from '../check';
import { Conflict } from '../conflict';
import { submitting } from '../fields';
import { FormFrame } from '../form-frame';
import { may, useMe } from '../me';
import { Page } from '../page';
import { useErrorsByField } from '../violations';
import lists from '../list.module.css';
import { draftOf, jsonOfDraft, membersOf, type Draft } from './settings-draft';
import { formOwner, tenantOwner, type SettingsOwner, type StoredSettings } from './settings-owner';
import { SettingsEditor } from './settings-editor';
import { faultInEditor, refusedKeys } from './settings-faults';
import { useSettingsTexts } from './settings-texts';

/** The webhook settings of the tenant or, in the address of a form, of that form. */
export default function SettingsPage() {
  const { formId } = useParams();
  const owner = useMemo(() => (formId === undefined ? tenantOwner : formOwner(formId)), [formId]);
  const texts = useTexts();
  const own = useSettingsTexts();
  const settings = <Settings owner={owner} />;
  return owner.isForm ? (
    <FormFrame>{() => settings}</FormFrame>
  ) : (
    <Page title={own.ofTenant} lead={own.leadTenant} tools={<Link href="/endpoints">{texts.endpoints}</Link>}>
      {settings}
    </Page>
  );
}

function Settings({ owner }: { owner: SettingsOwner }) {
  const stored = useQuery({
    queryKey: ['webhook settings', owner.key],
    // What one types stays: it is read again after a save, or when the user asks.
    staleTime: Infinity,
    queryFn: ({ signal }) => owner.read(signal),
  });
  return (
    <Answer query={stored} operation={owner.readOperation}>
      {(data) => <Editor key={`${owner.key} ${data.etag}`} owner={owner} stored={data} />}
    </Answer>
  );
}

function Editor({ owner, stored }: { owner: SettingsOwner; stored: StoredSettings }) {
  const own = useSettingsTexts();
  const me = useMe();
  const client = useQueryClient();
  const queryKey = ['webhook settings', owner.key];
  const base = draftOf(stored.json, owner.isForm);
  const [draft, setDraft] = useState(base);
  const [open, setOpen] = useState<readonly number[]>([]);
  const [theirs, setTheirs] = useState<StoredSettings | null>(null);
  const mayEdit = may(me, owner.saveOperation);
  const { choice, settings } = draft;
  const store = async (next: Draft, etag: string) => {
    setDraft(next);
    await owner.save(jsonOfDraft(next), etag);
    await client.invalidateQueries({ queryKey });
    await client.invalidateQueries({ queryKey: ['endpoints'] });
  };
  const storeOrAsk = async (next: Draft, etag: string) => {
    try {
      await store(next, etag);
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 412) throw error;
      const newest = await owner.read();
      // Other members of the form changed: there is nothing to choose.
      if (newest.json === stored.json) await store(next, newest.etag);
      else setTheirs(newest);
    }
  };
  const save = useAction(async (next: Draft, etag: string) => {
    try {
      await storeOrAsk(next, etag);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // The errors are shown at their fields.
      setOpen((keys) => [...new Set([...keys, ...refusedKeys(error, next.settings)])]);
      throw faultInEditor(error, next.settings, own.events);
    }
  });
  const errors = useErrorsByField(save.fault);
  return (
    <form className={lists.side} onSubmit={submitting(() => void save.run(draft, stored.etag))}>
      {owner.isForm && (
        <RadioPanel
          title={own.choice}
          choices={{ inherited: own.inherited, own: own.own, none: own.none }}
          value={choice}
          choose={(next) => setDraft({ ...draft, choice: next })}
          isReadOnly={!mayEdit}
        />
      )}
      {choice === 'own' && (
        <FieldErrors errors={errors}>
          <SettingsEditor
            settings={settings}
            change={(next) => setDraft({ ...draft, settings: next })}
            open={open}
            setOpen={setOpen}
            isReadOnly={!mayEdit}
          />
        </FieldErrors>
      )}
      {theirs !== null && (
        <Conflict
          key={theirs.etag}
          members={membersOf(own, owner.isForm)}
          three={{ base, mine: draft, theirs: draftOf(theirs.json, owner.isForm) }}
          isBusy={save.isBusy}
          save={(next) => void save.run(next, theirs.etag)}
          take={() => client.setQueryData(queryKey, theirs)}
        />
      )}
      {mayEdit && (
        <div className={lists.row}>
          <Button type="submit" look="primary" disabled={save.isBusy || theirs !== null}>
            {own.save}
          </Button>
          {stored.revision !== null && <span className={lists.soft}>{own.saved(stored.revision)}</span>}
        </div>
      )}
      <FaultNotice fault={save.fault} />
    </form>
  );
}
