import { Badge, Button, Panel, Table, type Column } from '@canvass/console-ui';
import { useState } from 'react';
import { usePreferences, useTexts } from '../../i18n';
import { ActionForm } from '../action-form';
import { api } from '../api';
import { column } from '../columns';
import { useListTexts } from '../data-list-texts';
import { FormDialog } from '../form-dialog';
import { may, useMe } from '../me';
import lists from '../list.module.css';
import editor from '../editor.module.css';
import { localeName } from './known-languages';
import { codesOf, LanguagesField, noLanguages } from './language-field';
import { labelColumns, useListChange, type DataList } from './list-frame';

/** The languages of a list: adds and removes them. */
export function Languages({ list }: { list: DataList }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const me = useMe();
  const [removed, setRemoved] = useState<string | null>(null);
  const columns: Column<string>[] = [
    column('locale', useTexts().language, (locale) => (
      <span className={lists.row}>
        {localeName(locale, language)}
        {locale === list.defaultLocale && <Badge tone="none">{texts.defaultLocale}</Badge>}
      </span>
    )),
  ];
  if (may(me, 'removeDataListLocale'))
    columns.push(
      column('remove', texts.remove, (locale) =>
        locale === list.defaultLocale ? (
          '–'
        ) : (
          <Button
            look="danger"
            aria-label={texts.removeLocale(localeName(locale, language))}
            onClick={() => setRemoved(locale)}
          >
            {texts.remove}
          </Button>
        ),
      ),
    );
  return (
    <Panel title={texts.listLocales}>
      <Table
        label={texts.listLocales}
        columns={columns}
        rows={labelColumns(list).map(({ locale }) => locale)}
        keyOf={(locale) => locale}
      />
      {may(me, 'addDataListLocales') && <AddLanguages list={list} />}
      {removed !== null && <RemoveLanguage list={list} locale={removed} close={() => setRemoved(null)} />}
    </Panel>
  );
}

function AddLanguages({ list }: { list: DataList }) {
  const texts = useListTexts();
  const [chosen, setChosen] = useState(noLanguages);
  const locales = codesOf(chosen);
  const add = useListChange(list, async (headers) => {
    await api.POST('/api/data-lists/{id}/locales', {
      params: { path: { id: list.id } },
      headers,
      body: { locales },
    });
    setChosen(noLanguages);
  });
  return (
    <ActionForm
      className={editor.editor}
      action={add}
      submit={texts.addLocales}
      isIncomplete={locales.length === 0 && chosen.typed === ''}
    >
      <LanguagesField chosen={chosen} setChosen={setChosen} />
    </ActionForm>
  );
}

function RemoveLanguage({ list, locale, close }: { list: DataList; locale: string; close(): void }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const remove = useListChange(list, async (headers) => {
    await api.DELETE('/api/data-lists/{id}/locales/{locale}', {
      params: { path: { id: list.id, locale } },
      headers,
    });
    close();
  });
  return (
    <FormDialog
      title={texts.removeLocale(localeName(locale, language))}
      submit={texts.remove}
      isDanger
      action={remove}
      close={close}
    >
      <p>{texts.removeLocaleHint}</p>
    </FormDialog>
  );
}
