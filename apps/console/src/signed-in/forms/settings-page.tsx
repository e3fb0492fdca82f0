import { Field, Panel } from '@canvass/console-ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { taggedOf, type Tagged } from '../action';
import { Fault } from '../../api';
import { api } from '../api';
import { usePreferences } from '../../i18n';
import { Check } from '../check';
import { Editor } from '../editor';
import { FormFrame, type Form } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';
import { may, useMe } from '../me';
import { instantOf, zonedOf } from '../zoned-time';
import { ConfirmErasure, type Erasing } from './confirm-erasure';
import { DataListChoice } from './data-list-choice';
import { DeleteForm } from './delete-form';
import styles from './forms.module.css';

/** Name, state and rules of a form, and its end. */
export default function SettingsPage() {
  const mayDelete = may(useMe(), 'deleteForm');
  return (
    <FormFrame tools={(form) => mayDelete && <DeleteForm form={form} />}>
      {(form) => <Settings key={form.id} form={form} />}
    </FormFrame>
  );
}

interface Draft {
  name: string;
  description: string;
  isEnabled: boolean;
  isPublic: boolean;
  limitOnePerUser: boolean;
  dataListIds: readonly string[];
  retentionDays: string;
  submissionTokenExpiryHours: string;
  /** Times in the zone of the person. */
  opensAt: string;
  closesAt: string;
  maxSubmissions: string;
  slug: string;
  accent: string;
  redirectTo: string;
  /** Origins, separated by spaces. */
  frameAncestors: string;
}

type Page = NonNullable<Form['page']>;

const noPage: Page = {
  logo: null,
  accent: null,
  scheme: 'auto',
  frameAncestors: [],
  redirectTo: null,
  redirectHosts: [],
};

const textOf = (value: number | null): string => (value === null ? '' : String(value));
const numberOf = (text: string): number | null => (text === '' ? null : Number(text));

const draftIn =
  (zone: string) =>
  (form: Form): Draft => ({
    name: form.name,
    description: form.description ?? '',
    isEnabled: form.isEnabled,
    isPublic: form.isPublic,
    limitOnePerUser: form.limitOnePerUser,
    dataListIds: form.dataListIds,
    retentionDays: textOf(form.retentionDays),
    submissionTokenExpiryHours: textOf(form.submissionTokenExpiryHours),
    opensAt: zonedOf(form.opensAt ?? '', zone),
    closesAt: zonedOf(form.closesAt ?? '', zone),
    maxSubmissions: textOf(form.maxSubmissions),
    slug: form.slug ?? '',
    accent: form.page?.accent ?? '',
    redirectTo: form.page?.redirectTo ?? '',
    frameAncestors: (form.page?.frameAncestors ?? []).join(' '),
  });

type PageDraft = Pick<Draft, 'accent' | 'redirectTo' | 'frameAncestors'>;

/** The settings of the page with those of the draft; null for a page without. */
function pageOf(before: Page | null, { accent, redirectTo, frameAncestors }: PageDraft): Page | null {
  const page = {
    ...(before ?? noPage),
    accent: accent || null,
    redirectTo: redirectTo || null,
    frameAncestors: frameAncestors.split(/\s+/).filter(Boolean),
  };
  return JSON.stringify(page) === JSON.stringify(noPage) ? null : page;
}

function Settings({ form }: { form: Form }) {
  const texts = useFormTexts();
  const client = useQueryClient();
  const { moment } = useFormats();
  const { zone } = usePreferences();
  const mayChange = may(useMe(), 'changeForm');
  /** Minutes are written: a time with seconds that was not changed stays. */
  const instant = (text: string, before: string | null): string | null =>
    text === zonedOf(before ?? '', zone) ? before : instantOf(text, zone) || null;
  const path = { formId: form.id };
  const yesNo = (value: boolean) => (value ? texts.yes : texts.no);
  const [asked, setAsked] = useState<Erasing | null>(null);
  const send = (
    { accent, redirectTo, frameAncestors, ...draft }: Draft,
    etag: string,
    retentionErases: number,
  ): Promise<Tagged<Form>> =>
    taggedOf(
      api.PATCH('/api/forms/{formId}', {
        params: { path, header: { 'If-Match': etag } },
        body: {
          ...draft,
          description: draft.description || null,
          dataListIds: [...draft.dataListIds],
          retentionDays: numberOf(draft.retentionDays),
          submissionTokenExpiryHours: numberOf(draft.submissionTokenExpiryHours),
          opensAt: instant(draft.opensAt, form.opensAt),
          closesAt: instant(draft.closesAt, form.closesAt),
          maxSubmissions: numberOf(draft.maxSubmissions),
          slug: draft.slug || null,
          page: pageOf(form.page, { accent, redirectTo, frameAncestors }),
          retentionErases,
        },
      }),
    );
  const save = async (draft: Draft, etag: string): Promise<Tagged<Form>> => {
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
    <Panel title={texts.tabSettings}>
      {asked !== null && <ConfirmErasure {...asked} />}
      <Editor
        isReadOnly={!mayChange}
        current={{ record: form, etag: `"${form.revision}"` }}
        draftOf={draftIn(zone)}
        shown={[
          [texts.name, 'name', ({ name }) => name],
          [texts.description, 'description', ({ description }) => description],
          [texts.isEnabled, 'isEnabled', ({ isEnabled }) => yesNo(isEnabled)],
          [texts.isPublic, 'isPublic', ({ isPublic }) => yesNo(isPublic)],
          [texts.limitOnePerUser, 'limitOnePerUser', ({ limitOnePerUser }) => yesNo(limitOnePerUser)],
          [texts.slug, 'slug', ({ slug }) => slug],
          [texts.accent, 'accent', ({ accent }) => accent],
          [texts.frameAncestors, 'frameAncestors', ({ frameAncestors }) => frameAncestors],
          [texts.redirectTo, 'redirectTo', ({ redirectTo }) => redirectTo],
          [texts.opensAt, 'opensAt', ({ opensAt }) => opensAt && moment(opensAt)],
          [texts.closesAt, 'closesAt', ({ closesAt }) => closesAt && moment(closesAt)],
          [texts.maxSubmissions, 'maxSubmissions', ({ maxSubmissions }) => maxSubmissions],
          [texts.retentionDays, 'retentionDays', ({ retentionDays }) => retentionDays],
          [
            texts.tokenHours,
            'submissionTokenExpiryHours',
            ({ submissionTokenExpiryHours }) => submissionTokenExpiryHours,
          ],
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
          <fieldset className={styles.members} disabled={!mayChange}>
            <Field
              label={texts.name}
              required
              maxLength={200}
              autoComplete="off"
              value={draft.name}
              onChange={(event) => set({ name: event.target.value })}
            />
            <Field
              label={texts.description}
              maxLength={2000}
              autoComplete="off"
              value={draft.description}
              onChange={(event) => set({ description: event.target.value })}
            />
            <Check
              label={texts.isEnabled}
              isChecked={draft.isEnabled}
              setChecked={(isEnabled) => set({ isEnabled })}
            />
            <Check
              label={texts.isPublic}
              isChecked={draft.isPublic}
              setChecked={(isPublic) => set({ isPublic })}
            />
            <Check
              label={texts.limitOnePerUser}
              isChecked={draft.limitOnePerUser}
              setChecked={(limitOnePerUser) => set({ limitOnePerUser })}
            />
            <Field
              label={texts.slug}
              hint={texts.slugHint}
              maxLength={64}
              pattern="(?=.*[a-z\-])[a-z0-9\-]{3,64}"
              autoComplete="off"
              value={draft.slug}
              onChange={(event) => set({ slug: event.target.value })}
            />
            <Field
              label={texts.accent}
              hint={texts.accentHint}
              pattern="#[0-9a-fA-F]{6}"
              autoComplete="off"
              value={draft.accent}
              onChange={(event) => set({ accent: event.target.value })}
            />
            <Field
              label={texts.frameAncestors}
              hint={texts.frameAncestorsHint}
              autoComplete="off"
              value={draft.frameAncestors}
              onChange={(event) => set({ frameAncestors: event.target.value })}
            />
            <Field
              label={texts.redirectTo}
              hint={texts.redirectToHint}
              type="url"
              pattern="https://.+"
              autoComplete="off"
              value={draft.redirectTo}
              onChange={(event) => set({ redirectTo: event.target.value })}
            />
            <Field
              label={texts.opensAt}
              hint={texts.opensAtHint}
              type="datetime-local"
              value={draft.opensAt}
              onChange={(event) => set({ opensAt: event.target.value })}
            />
            <Field
              label={texts.closesAt}
              hint={texts.closesAtHint}
              type="datetime-local"
              value={draft.closesAt}
              onChange={(event) => set({ closesAt: event.target.value })}
            />
            <Field
              label={texts.maxSubmissions}
              hint={texts.maxSubmissionsHint}
              type="number"
              min={1}
              max={10_000_000}
              value={draft.maxSubmissions}
              onChange={(event) => set({ maxSubmissions: event.target.value })}
            />
            <Field
              label={texts.retentionDays}
              hint={texts.retentionHint}
              type="number"
              min={1}
              max={36_500}
              value={draft.retentionDays}
              onChange={(event) => set({ retentionDays: event.target.value })}
            />
            <Field
              label={texts.tokenHours}
              hint={texts.tokenHoursHint}
              type="number"
              min={1}
              max={87_600}
              value={draft.submissionTokenExpiryHours}
              onChange={(event) => set({ submissionTokenExpiryHours: event.target.value })}
            />
            <DataListChoice ids={draft.dataListIds} setIds={(dataListIds) => set({ dataListIds })} />
          </fieldset>
        )}
      </Editor>
    </Panel>
  );
}
