import { Panel } from '@canvass/console-ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { taggedOf, type Tagged } from '../action';
import { Fault } from '../../api';
import { api } from '../api';
import { usePreferences } from '../../i18n';
import { Editor } from '../editor';
import { FormFrame, type Form } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';
import { may, useMe } from '../me';
import { ConfirmErasure, type Erasing } from './confirm-erasure';
import { DeleteForm } from './delete-form';
import styles from './forms.module.css';
import { changesOf, draftIn, type SettingsDraft } from './settings-draft';
import { SettingsFields } from './settings-fields';
import { useSettingsTexts } from './settings-texts';

/** Name, state and rules of a form, and its end. */
export default function SettingsPage() {
  return <FormFrame>{(form) => <Settings key={form.id} form={form} />}</FormFrame>;
}

function Settings({ form }: { form: Form }) {
  const texts = useFormTexts();
  const own = useSettingsTexts();
  const client = useQueryClient();
  const { moment } = useFormats();
  const { zone } = usePreferences();
  const me = useMe();
  const mayChange = may(me, 'changeForm');
  const path = { formId: form.id };
  const yesNo = (value: boolean) => (value ? texts.yes : texts.no);
  const [asked, setAsked] = useState<Erasing | null>(null);
  const send = (draft: SettingsDraft, etag: string, retentionErases: number): Promise<Tagged<Form>> =>
    taggedOf(
      api.PATCH('/api/forms/{formId}', {
        params: { path, header: { 'If-Match': etag } },
        body: { ...changesOf(draft, form, zone), retentionErases },
      }),
    );
  const save = async (draft: SettingsDraft, etag: string): Promise<Tagged<Form>> => {
    try {
      return await send(draft, etag, 0);
    } catch (error) {
      if (!(error instanceof Fault) || error.erases === null) throw error;
      const { erases } = error;
      const isConfirmed = await new Promise<boolean>((answer) => setAsked({ erases, answer }));
      setAsked(null);
      if (!isConfirmed) throw error;
      return send(draft, etag, erases);
    }
  };
  return (
    <Panel title={texts.tabSettings} tools={may(me, 'deleteForm') && <DeleteForm form={form} />}>
      {asked !== null && <ConfirmErasure {...asked} />}
      <Editor
        isReadOnly={!mayChange}
        current={{ record: form, etag: `"${form.revision}"` }}
        draftOf={draftIn(zone)}
        shown={[
          [texts.name, 'name'],
          [texts.description, 'description'],
          [own.isEnabled, 'isEnabled', ({ isEnabled }) => yesNo(isEnabled)],
          [texts.isPublic, 'isPublic', ({ isPublic }) => yesNo(isPublic)],
          [own.limitOnePerUser, 'limitOnePerUser', ({ limitOnePerUser }) => yesNo(limitOnePerUser)],
          [own.answerCheck, 'answerCheck', ({ answerCheck }) => own.checks[answerCheck]],
          [own.slug, 'slug'],
          [own.logo, 'logo', ({ logo }) => yesNo(logo !== '')],
          [own.accent, 'accent'],
          [own.scheme, 'scheme', ({ scheme }) => own.schemes[scheme]],
          [own.frameAncestors, 'frameAncestors'],
          [own.redirectTo, 'redirectTo'],
          [own.redirectHosts, 'redirectHosts'],
          [own.opensAt, 'opensAt', ({ opensAt }) => opensAt && moment(opensAt)],
          [own.closesAt, 'closesAt', ({ closesAt }) => closesAt && moment(closesAt)],
          [own.maxSubmissions, 'maxSubmissions'],
          [own.retentionDays, 'retentionDays'],
          [own.tokenHours, 'submissionTokenExpiryHours'],
          [texts.listsOfForm, 'dataListIds', ({ dataListIds }) => dataListIds.join(', ')],
        ]}
        read={() => taggedOf(api.GET('/api/forms/{formId}', { params: { path } }))}
        save={save}
        saved={({ record }) =>
          // The definition that the page has read keeps the digits of its numbers.
          client.setQueryData(['form', form.id], { ...record, definition: form.definition })
        }
      >
        {(draft, set) => (
          <fieldset className={styles.group} disabled={!mayChange}>
            <SettingsFields draft={draft} set={set} />
          </fieldset>
        )}
      </Editor>
    </Panel>
  );
}
