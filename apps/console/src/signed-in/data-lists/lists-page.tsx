import type { components } from '@canvass/client';
import { Badge, Button, Field, ForeignText, Panel, Table, type Column } from '@canvass/console-ui';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { FaultNotice } from '../action';
import { Answer } from '../answer';
import { api, dataOf } from '../api';
import { FilterBox, Nothing, Pager } from '../list-parts';
import { pageSize, useListState } from '../list-state';
import { may, useMe } from '../me';
import { Moment } from '../moment';
import { Page } from '../page';
import styles from './data-lists.module.css';
import { Modal } from './modal';
import { useListTexts } from '../data-list-texts';
import type { DataList } from './list-frame';
import { OrderField } from './order-field';

/** Numbers of the pages before and after one. */
const neighboursOf = ({ page, totalPages, totalRecords }: components['schemas']['DataListPage']) => ({
  next: page < totalPages ? String(page + 1) : null,
  previous: page > 1 ? String(page - 1) : null,
  total: totalRecords,
  totalIsExact: true,
});

/** Locales that are shown in a row. */
const maxLocales = 8;

/** The data lists of the tenant. */
export default function ListsPage() {
  const texts = useListTexts();
  const all = useTexts();
  const { language } = usePreferences();
  const me = useMe();
  const list = useListState();
  const [isCreating, setCreating] = useState(false);
  const search = list.filter('search');
  const locales = list.filter('hasLocale').split(',').filter(Boolean);
  const query = {
    page: list.page,
    pageSize,
    ...(search && { search }),
    ...(locales.length > 0 && { hasLocale: locales }),
  };
  const lists = useQuery({
    queryKey: ['data-lists', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => dataOf(api.GET('/api/data-lists', { params: { query }, signal })),
  });
  const toggle = (locale: string) => {
    const next = locales.includes(locale) ? locales.filter((own) => own !== locale) : [...locales, locale];
    list.setFilters({ hasLocale: next.join(',') });
  };
  const chip = (locale: string) => (
    <Button
      key={locale}
      look="quiet"
      className={styles.chip}
      aria-pressed={locales.includes(locale)}
      aria-label={texts.withLocale(locale)}
      onClick={() => toggle(locale)}
    >
      {locale}
    </Button>
  );
  const columns: Column<DataList>[] = [
    {
      key: 'name',
      title: texts.listName,
      cell: ({ id, name }) => (
        <Link href={`/data-lists/${id}`}>
          <ForeignText isCut>{name}</ForeignText>
        </Link>
      ),
    },
    {
      key: 'locales',
      title: texts.listLocales,
      cell: ({ defaultLocale, availableLocales }) => {
        const own = [...new Set([defaultLocale, ...availableLocales])];
        return (
          <span className={styles.chips}>
            {own.slice(0, maxLocales).map(chip)}
            {own.length > maxLocales && <span>+{own.length - maxLocales}</span>}
          </span>
        );
      },
    },
    {
      key: 'items',
      title: texts.listItems,
      isNumber: true,
      cell: ({ itemsCount }) => itemsCount.toLocaleString(language),
    },
    {
      key: 'state',
      title: all.state,
      cell: ({ isActive }) => (
        <Badge tone={isActive ? 'good' : 'none'}>{isActive ? texts.listActive : texts.listInactive}</Badge>
      ),
    },
    { key: 'changed', title: all.modifiedAt, cell: ({ modifiedAt }) => <Moment at={modifiedAt} /> },
  ];
  const tools = may(me, 'createDataList') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {texts.newList}
    </Button>
  );
  return (
    <Page title={all.dataLists} tools={tools}>
      <Panel
        title={texts.allLists}
        busy={lists.isFetching}
        tools={
          <FilterBox
            label={texts.filterLists}
            placeholder={texts.filterLists}
            value={search}
            setValue={(value) => list.setFilters({ search: value })}
          />
        }
      >
        {locales.length > 0 && <div className={`${styles.chips} ${styles.bar}`}>{locales.map(chip)}</div>}
        <Answer query={lists} operation="listDataLists">
          {(page) =>
            page.items.length === 0 ? (
              <Nothing
                isFiltered={search !== '' || locales.length > 0}
                clear={() => list.setFilters({ search: '', hasLocale: '' })}
                title={texts.noLists}
                hint={texts.noListsHint}
              />
            ) : (
              <>
                <Table label={texts.allLists} columns={columns} rows={page.items} keyOf={({ id }) => id} />
                <Pager
                  page={neighboursOf(page)}
                  goTo={({ after, before }) => list.goTo({ page: (after ?? before)! })}
                />
              </>
            )
          }
        </Answer>
      </Panel>
      <Modal title={texts.newList} isOpen={isCreating} close={() => setCreating(false)}>
        <NewList close={() => setCreating(false)} />
      </Modal>
    </Page>
  );
}

function NewList({ close }: { close(): void }) {
  const texts = useListTexts();
  const all = useTexts();
  const [, navigate] = useLocation();
  const [key] = useState(() => crypto.randomUUID());
  const create = useMutation({
    mutationFn: ({ body }: { body: object; next: string }) =>
      dataOf(
        api.POST('/api/data-lists', {
          body: body as never,
          headers: { 'Idempotency-Key': key },
        }),
      ),
    onSuccess: ({ id }, { next }) => navigate(`/data-lists/${id}/${next}`),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => (form.get(name) as string).trim();
    const button = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const body = {
      name: text('name'),
      description: text('description') || null,
      defaultLocale: text('defaultLocale'),
      order: text('order'),
      availableLocales: text('availableLocales')
        .split(',')
        .map((locale) => locale.trim())
        .filter(Boolean),
    };
    create.mutate({ body, next: button?.value || 'edit' });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <FaultNotice fault={create.error} />
      <Field label={texts.listName} name="name" required maxLength={200} autoFocus />
      <Field label={texts.listDescription} name="description" maxLength={2000} />
      <Field
        label={texts.defaultLocale}
        hint={texts.defaultLocaleHint}
        name="defaultLocale"
        defaultValue="en"
        required
      />
      <Field label={texts.furtherLocales} hint={texts.furtherLocalesHint} name="availableLocales" />
      <OrderField order="label" />
      <div className={styles.actions}>
        <Button onClick={close}>{all.cancel}</Button>
        <Button type="submit" value="import" disabled={create.isPending}>
          {texts.createImport}
        </Button>
        <Button type="submit" value="edit" look="primary" disabled={create.isPending}>
          {texts.create}
        </Button>
      </div>
    </form>
  );
}
