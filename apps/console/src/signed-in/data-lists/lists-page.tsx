import { Badge, Button, Field } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { FaultNotice } from '../action';
import { api, dataOf, get } from '../api';
import { column, foreignColumn, numberColumn, timeColumn } from '../columns';
import { useListState } from '../list-state';
import { may, useMe } from '../me';
import { Page } from '../page';
import { usePageRows } from '../page-rows';
import { usePlainFilters } from '../plain-filters';
import { RecordGrid } from '../record-grid';
import styles from './data-lists.module.css';
import { Modal } from './modal';
import { useListTexts } from '../data-list-texts';
import { codeOf, localeName } from './known-languages';
import { codesOf, LanguageField, LanguagesField, noLanguages } from './language-field';
import type { DataList } from './list-frame';
import { OrderField } from './order-field';

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
  const hasLocale = list.filter('hasLocale').split(',').filter(Boolean);
  const query = { ...(search && { search }), ...(hasLocale.length > 0 && { hasLocale }) };
  const lists = usePageRows<DataList>({
    queryKey: ['data-lists', query],
    isFresh: true,
    read: (page, signal) => get('/api/data-lists', { query: { ...query, ...page } }, signal),
  });
  const filters = usePlainFilters(list, [
    { name: 'hasLocale', title: texts.listLocales, kind: 'text', hint: 'de,en' },
  ]);
  const toggle = (locale: string) => {
    const next = hasLocale.includes(locale)
      ? hasLocale.filter((own) => own !== locale)
      : [...hasLocale, locale];
    list.setFilters({ hasLocale: next.join(',') });
  };
  const chip = (locale: string) => (
    <Button
      key={locale}
      look="quiet"
      className={styles.chip}
      aria-pressed={hasLocale.includes(locale)}
      aria-label={texts.withLocale(locale)}
      onClick={() => toggle(locale)}
    >
      {locale}
    </Button>
  );
  const columns: GridColumn<DataList>[] = [
    foreignColumn('name', texts.listName, ({ name }) => name, { isLink: true }),
    column('locales', texts.listLocales, ({ defaultLocale, availableLocales }) => {
      const own = [...new Set([defaultLocale, ...availableLocales])];
      return (
        <span className={styles.chips}>
          {own.slice(0, maxLocales).map(chip)}
          {own.length > maxLocales && <span>+{own.length - maxLocales}</span>}
        </span>
      );
    }),
    numberColumn('items', texts.listItems, ({ itemsCount }) => itemsCount.toLocaleString(language)),
    column('state', all.state, ({ isActive }) => (
      <Badge tone={isActive ? 'good' : 'none'}>{isActive ? texts.listActive : texts.listInactive}</Badge>
    )),
    timeColumn('changed', all.modifiedAt, ({ modifiedAt }) => modifiedAt),
  ];
  const tools = may(me, 'createDataList') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {texts.newList}
    </Button>
  );
  return (
    <Page title={all.dataLists} tools={tools}>
      <RecordGrid
        screen="data-lists"
        isTable
        search={list.searchBox(texts.filterLists)}
        filters={filters}
        list={lists}
        operation="listDataLists"
        label={texts.allLists}
        columns={columns}
        nothing={{ title: texts.noLists, hint: texts.noListsHint }}
      />
      <Modal title={texts.newList} isOpen={isCreating} close={() => setCreating(false)}>
        <NewList close={() => setCreating(false)} />
      </Modal>
    </Page>
  );
}

function NewList({ close }: { close(): void }) {
  const texts = useListTexts();
  const all = useTexts();
  const { language } = usePreferences();
  const [, navigate] = useLocation();
  const [key] = useState(() => crypto.randomUUID());
  const [defaultLocale, setDefaultLocale] = useState(() => localeName(language, language));
  const [further, setFurther] = useState(noLanguages);
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
      defaultLocale: codeOf(defaultLocale),
      order: text('order'),
      availableLocales: codesOf(further),
    };
    create.mutate({ body, next: button?.value || 'edit' });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <FaultNotice fault={create.error} />
      <Field label={texts.listName} name="name" required maxLength={200} autoFocus />
      <Field label={texts.listDescription} name="description" maxLength={2000} />
      <LanguageField label={texts.defaultLocale} typed={defaultLocale} setTyped={setDefaultLocale} required />
      <LanguagesField chosen={further} setChosen={setFurther} />
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
