import type { components } from '@canvass/client';
import { Button, buttonClass } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { consolePath } from '../../base';
import { useTexts } from '../../i18n';
import { FaultNotice, useChange } from '../action';
import { api, get } from '../api';
import { column, foreignColumn, numberColumn, timeColumn } from '../columns';
import { FormState } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';
import { useKeyRows } from '../key-rows';
import { useListState } from '../list-state';
import { may, useMe } from '../me';
import { Page } from '../page';
import { RecordGrid } from '../record-grid';
import styles from './forms.module.css';
import { NewForm } from './new-form';

type Fields = components['schemas']['FormFields'];

const fields = [
  'id',
  'name',
  'isEnabled',
  'isPublic',
  'limitOnePerUser',
  'revision',
  'lastSubmissionAt',
].join();

/** Forms that are shown with the number of their submissions: one request of the API. */
const maxCounted = 200;

/** The forms of the tenant. */
export default function FormsPage() {
  const texts = useTexts();
  const own = useFormTexts();
  const me = useMe();
  const { number } = useFormats();
  const list = useListState();
  const isNew = useSearchParams()[0].has('new');
  const [creating, setCreating] = useState<{ form?: Fields } | null>(isNew ? {} : null);
  const search = list.filter('search');
  const forms = useKeyRows<Fields>({
    queryKey: ['forms', search],
    isFresh: true,
    read: (place, signal) =>
      get('/api/forms', { query: { ...place, fields, ...(search && { search }) } }, signal),
  });
  // Of their own: the names of the forms do not wait for them.
  const counts = useQuery({
    queryKey: ['forms', search, 'counts'],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { limit: maxCounted, fields: 'id,submissionsCount', ...(search && { search }) };
      const { items } = await get('/api/forms', { query }, signal);
      return new Map(items.map(({ id, submissionsCount }) => [id!, submissionsCount]));
    },
  });
  const change = useChange([['forms']], ({ id, revision, isEnabled }: Fields) => {
    const params = { path: { formId: id! }, header: { 'If-Match': `"${revision}"` } };
    return api.PATCH('/api/forms/{formId}', { params, body: { isEnabled: !isEnabled } });
  });
  const maySeeAnswers = may(me, 'listSubmissions');
  const answersOf = (id?: string) => `/forms/${id}/submissions`;
  const columns: GridColumn<Fields>[] = [
    foreignColumn('name', texts.form, ({ name }) => name, { isLink: true }),
    column('state', texts.state, (form) => <FormState form={form} />),
    numberColumn('answers', texts.answers, ({ id }) => {
      const count = counts.data?.get(id!);
      if (count === undefined) return '–';
      return maySeeAnswers ? <Link href={answersOf(id)}>{number(count)}</Link> : number(count);
    }),
    timeColumn('last', texts.lastSubmission, ({ lastSubmissionAt }) => lastSubmissionAt),
    column('actions', own.actions, (form) => (
      <div className={styles.rowActions}>
        <Link className={buttonClass} href={`/forms/${form.id}/share`} aria-label={own.share(form.name!)}>
          {own.tabShare}
        </Link>
        {may(me, 'changeForm') && (
          <Button
            look="quiet"
            disabled={change.isBusy}
            aria-label={form.isEnabled ? own.disableForm(form.name!) : own.enableForm(form.name!)}
            onClick={() => void change.run(form)}
          >
            {form.isEnabled ? own.disable : own.enable}
          </Button>
        )}
        {may(me, 'createForm') && (
          <Button look="quiet" aria-label={own.copyForm(form.name!)} onClick={() => setCreating({ form })}>
            {own.copyShort}
          </Button>
        )}
      </div>
    )),
  ];
  const tools = may(me, 'createForm') && (
    <Button look="primary" onClick={() => setCreating({})}>
      {own.newForm}
    </Button>
  );
  return (
    <Page title={texts.forms} tools={tools}>
      <FaultNotice fault={change.fault} />
      <RecordGrid
        screen="forms"
        isTable
        search={list.searchBox(texts.filterForms)}
        list={forms}
        operation="listForms"
        label={texts.allForms}
        columns={columns}
        hrefOf={({ id, lastSubmissionAt }) =>
          `${consolePath}${maySeeAnswers && lastSubmissionAt ? answersOf(id) : `/forms/${id}`}`
        }
        nothing={{ title: texts.noForms, hint: texts.noFormsHint }}
      />
      {creating && <NewForm source={creating.form} close={() => setCreating(null)} />}
    </Page>
  );
}
