import type { components } from '@canvass/client';
import { Button, buttonClass, ForeignText, Panel, Table, type Column } from '@canvass/console-ui';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useTexts } from '../../i18n';
import { FaultNotice, useAction } from '../action';
import { Answer } from '../answer';
import { api, dataOf } from '../api';
import { FormState } from '../form-frame';
import { useFormTexts } from '../form-texts';
import { useFormats } from '../formats';
import { FilterBox, Nothing, Pager } from '../list-parts';
import { pageSize, useListState } from '../list-state';
import { may, useMe } from '../me';
import { Moment } from '../moment';
import { Page } from '../page';
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

/** The forms of the tenant. */
export default function FormsPage() {
  const texts = useTexts();
  const own = useFormTexts();
  const me = useMe();
  const { number } = useFormats();
  const list = useListState();
  const client = useQueryClient();
  const isNew = useSearchParams()[0].has('new');
  const [creating, setCreating] = useState<{ form?: Fields } | null>(isNew ? {} : null);
  const search = list.filter('search');
  const query = {
    limit: pageSize,
    total: 'exact' as const,
    fields,
    ...list.place,
    ...(search && { search }),
  };
  const forms = useQuery({
    queryKey: ['forms', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => dataOf(api.GET('/api/forms', { params: { query }, signal })),
  });
  // Of their own: the names of the forms do not wait for them.
  const counts = useQuery({
    queryKey: ['forms', query, 'counts'],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const params = { query: { ...query, fields: 'id,submissionsCount' } };
      const { items } = await dataOf(api.GET('/api/forms', { params, signal }));
      return new Map(items.map(({ id, submissionsCount }) => [id!, submissionsCount]));
    },
  });
  const change = useAction(async ({ id, revision, isEnabled }: Fields) => {
    const params = { path: { formId: id! }, header: { 'If-Match': `"${revision}"` } };
    try {
      await api.PATCH('/api/forms/{formId}', { params, body: { isEnabled: !isEnabled } });
    } finally {
      // Also after a refusal: another person may have changed the form.
      await client.invalidateQueries({ queryKey: ['forms'] });
    }
  });
  const maySeeAnswers = may(me, 'listSubmissions');
  const answersOf = (id?: string) => `/forms/${id}/submissions`;
  const columns: Column<Fields>[] = [
    {
      key: 'name',
      title: texts.form,
      cell: ({ id, name = '', lastSubmissionAt }) => (
        <Link href={maySeeAnswers && lastSubmissionAt ? answersOf(id) : `/forms/${id}`}>
          <ForeignText isCut>{name}</ForeignText>
        </Link>
      ),
    },
    { key: 'state', title: texts.state, cell: (form) => <FormState form={form} /> },
    {
      key: 'answers',
      title: texts.answers,
      isNumber: true,
      cell({ id }) {
        const count = counts.data?.get(id!);
        if (count === undefined) return '–';
        return maySeeAnswers ? <Link href={answersOf(id)}>{number(count)}</Link> : number(count);
      },
    },
    {
      key: 'last',
      title: texts.lastSubmission,
      cell: ({ lastSubmissionAt }) => <Moment at={lastSubmissionAt} />,
    },
    {
      key: 'actions',
      title: own.actions,
      cell: (form) => (
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
      ),
    },
  ];
  const tools = may(me, 'createForm') && (
    <Button look="primary" onClick={() => setCreating({})}>
      {own.newForm}
    </Button>
  );
  return (
    <Page title={texts.forms} tools={tools}>
      <Panel
        title={texts.allForms}
        busy={forms.isFetching}
        tools={
          <FilterBox
            label={texts.filterForms}
            placeholder={texts.filterForms}
            value={search}
            setValue={(value) => list.setFilters({ search: value })}
          />
        }
      >
        <div className={styles.faults}>
          <FaultNotice fault={change.fault} />
        </div>
        <Answer query={forms} operation="listForms">
          {(page) =>
            page.items.length === 0 ? (
              <Nothing
                isFiltered={search !== ''}
                clear={() => list.setFilters({ search: '' })}
                title={texts.noForms}
                hint={texts.noFormsHint}
              />
            ) : (
              <>
                <Table label={texts.allForms} columns={columns} rows={page.items} keyOf={({ id }) => id!} />
                <Pager page={page} goTo={list.goTo} />
              </>
            )
          }
        </Answer>
      </Panel>
      {creating && <NewForm source={creating.form} close={() => setCreating(null)} />}
    </Page>
  );
}
