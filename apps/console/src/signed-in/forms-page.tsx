import type { components } from '@canvass/client';
import { Badge, ForeignText, Panel, Table, type Column } from '@canvass/console-ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useTexts } from '../i18n';
import { Answer } from './answer';
import { api, dataOf } from './api';
import { FilterBox, Nothing, Pager } from './list-parts';
import { pageSize, useListState } from './list-state';
import styles from './list.module.css';
import { may, useMe } from './me';
import { Moment } from './moment';
import { Page } from './page';

type Form = components['schemas']['FormFields'];
type FormPage = components['schemas']['FormFieldsPage'];

const fields = 'id,name,isEnabled,isPublic,createdAt,lastSubmissionAt';

/** The forms of the tenant. */
export function FormsPage() {
  const texts = useTexts();
  const me = useMe();
  const list = useListState();
  const search = list.filter('search');
  const query = {
    limit: pageSize,
    total: 'estimated' as const,
    fields,
    ...list.place,
    ...(search && { search }),
  };
  const forms = useQuery({
    queryKey: ['forms', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/forms', { params: { query }, signal })) as Promise<FormPage>,
  });
  const mayOpen = may(me, 'listSubmissions');
  const columns: Column<Form>[] = [
    {
      key: 'name',
      title: texts.form,
      cell: ({ id, name = '' }) =>
        mayOpen ? (
          <Link href={`/forms/${id}/submissions`}>
            <ForeignText isCut>{name}</ForeignText>
          </Link>
        ) : (
          <ForeignText isCut>{name}</ForeignText>
        ),
    },
    {
      key: 'state',
      title: texts.state,
      cell: ({ isEnabled, isPublic }) => (
        <span className={styles.badges}>
          {isEnabled ? (
            <Badge tone="good">{texts.formEnabled}</Badge>
          ) : (
            <Badge tone="none">{texts.formDisabled}</Badge>
          )}
          {isPublic ? null : <Badge tone="none">{texts.formPrivate}</Badge>}
        </span>
      ),
    },
    {
      key: 'last',
      title: texts.lastSubmission,
      cell: ({ lastSubmissionAt }) => <Moment at={lastSubmissionAt} />,
    },
    { key: 'created', title: texts.createdAt, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
  return (
    <Page title={texts.forms}>
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
    </Page>
  );
}
