import { Button, Field } from '@canvass/console-ui';
import type { GridColumn } from '@canvass/console-ui/grid';
import { useRef, useState, type MouseEvent } from 'react';
import { useLocation } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { useAction } from '../action';
import { api, dataOf, get } from '../api';
import { withOrWithout } from '../check';
import { ChoiceField } from '../choice-field';
import { column, foreignColumn, numberColumn, timeColumn } from '../columns';
import { useListTexts } from '../data-list-texts';
import { fieldsOf } from '../fields';
import { EnabledBadge } from '../list-parts';
import { FormDialog } from '../form-dialog';
import { useListState } from '../list-state';
import { may, useMe } from '../me';
import { Page } from '../page';
import { usePageRows } from '../page-rows';
import { usePlainFilters } from '../plain-filters';
import { RecordGrid } from '../record-grid';
import listStyles from '../list.module.css';
import styles from './data-lists.module.css';
import { codeOf, localeName } from './known-languages';
import { codesOf, LanguageField, LanguagesField, noLanguages } from './language-field';
import type { DataList } from './list-frame';

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
  const toggle = (locale: string) =>
    list.setFilters({
      hasLocale: withOrWithout(hasLocale, locale, !hasLocale.includes(locale)).join(','),
    });
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
        <span className={listStyles.row}>
          {own.slice(0, maxLocales).map(chip)}
          {own.length > maxLocales && <span>+{own.length - maxLocales}</span>}
        </span>
      );
    }),
    numberColumn('items', texts.listItems, ({ itemsCount }) => itemsCount.toLocaleString(language)),
    column('state', all.state, ({ isActive }) => <EnabledBadge isEnabled={isActive} />),
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
      {isCreating && <NewList close={() => setCreating(false)} />}
    </Page>
  );
}

function NewList({ close }: { close(): void }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const [, navigate] = useLocation();
  const [key] = useState(() => crypto.randomUUID());
  const [draft, setDraft] = useState({ name: '', description: '' });
  const [order, setOrder] = useState<DataList['order']>('label');
  const [defaultLocale, setDefaultLocale] = useState(() => localeName(language, language));
  const [further, setFurther] = useState(noLanguages);
  const next = useRef<'edit' | 'import'>('edit');
  const create = useAction(async () => {
    const page = next.current;
    next.current = 'edit';
    const body = {
      name: draft.name.trim(),
      description: draft.description.trim() || null,
      defaultLocale: codeOf(defaultLocale)!,
      order,
      availableLocales: codesOf(further),
    };
    const params = { header: { 'Idempotency-Key': key } };
    const { id } = await dataOf(api.POST('/api/data-lists', { params, body }));
    navigate(`/data-lists/${id}/${page}`);
  });
  const createImport = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    if (!currentTarget.form!.reportValidity()) return;
    next.current = 'import';
    currentTarget.form!.requestSubmit();
  };
  const field = fieldsOf(draft, (change) => setDraft({ ...draft, ...change }));
  return (
    <FormDialog title={texts.newList} submit={texts.create} action={create} close={close}>
      <Field {...field('name')} label={texts.listName} required maxLength={200} autoFocus />
      <Field {...field('description')} label={texts.listDescription} maxLength={2000} />
      <LanguageField label={texts.defaultLocale} typed={defaultLocale} setTyped={setDefaultLocale} required />
      <LanguagesField chosen={further} setChosen={setFurther} />
      <ChoiceField
        label={texts.listOrder}
        value={order}
        choices={{ label: texts.orderLabel, file: texts.orderFile }}
        choose={setOrder}
      />
      <div>
        <Button disabled={create.isBusy} onClick={createImport}>
          {texts.createImport}
        </Button>
      </div>
    </FormDialog>
  );
}
