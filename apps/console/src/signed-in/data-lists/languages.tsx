import { Badge, Button, Panel } from '@canvass/console-ui';
import { useState } from 'react';
import { usePreferences } from '../../i18n';
import { ActionForm } from '../action-form';
import { api } from '../api';
import { useListTexts } from '../data-list-texts';
import { FormDialog } from '../form-dialog';
import { may, useMe } from '../me';
import editor from '../editor.module.css';
import styles from './data-lists.module.css';
import { localeName, namedLocales } from './known-languages';
import { codesOf, LanguagesField, noLanguages } from './language-field';
import { useListChange, type DataList } from './list-frame';

/** The languages of a list: adds and removes them. */
export function Languages({ list }: { list: DataList }) {
  const texts = useListTexts();
  const { language } = usePreferences();
  const me = useMe();
  const [removed, setRemoved] = useState<string | null>(null);
  return (
    <Panel title={texts.listLocales}>
      <ul className={styles.languages}>
        {namedLocales([...new Set([list.defaultLocale, ...list.availableLocales])], language).map(
          ([locale, name]) => (
            <li key={locale}>
              {name}
              {locale === list.defaultLocale ? (
                <Badge tone="none">{texts.defaultLocale}</Badge>
              ) : (
                may(me, 'removeDataListLocale') && (
                  <Button
                    look="quiet"
                    title={texts.remove}
                    aria-label={texts.removeLocale(name)}
                    onClick={() => setRemoved(locale)}
                  >
                    ✕
                  </Button>
                )
              )}
            </li>
          ),
        )}
      </ul>
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
