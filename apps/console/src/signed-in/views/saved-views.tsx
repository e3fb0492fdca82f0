import { Button, buttonClass, ForeignText, Icon, menuClass, Notice, popoverClass } from '@canvass/console-ui';
import { layoutChanges } from '@canvass/console-ui/layout';
import { useState, type ReactNode } from 'react';
import {
  Button as AriaButton,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components';
import { FaultNotice, useAction } from '../action';
import { api } from '../api';
import styles from '../filters.module.css';
import { may, useMe } from '../me';
import { useViewTexts } from './texts';
import { standard, useViews, type View, type ViewedList } from './use-views';
import { ViewDialog } from './view-dialog';

/** The parts of the bar of a list that are about its views. */
export interface Views {
  menu: ReactNode;
  /** What can be done with a view that was changed, or that is not there; null: nothing. */
  state: ReactNode;
}

/** The saved views of a list: columns, filters and order under a name, for oneself or for everybody. */
export function useSavedViews(list: ViewedList): Views {
  const texts = useViewTexts();
  const me = useMe();
  const [dialog, setDialog] = useState<'new' | 'edit' | null>(null);
  const { isOffered, views, view, isMissing, isChanged, shown, show, refresh } = useViews(list);
  const settings = { layout: layoutChanges(shown.layout), query: shown.query };
  const mayShare = me.permissions.includes('Forms.Edit');
  const mayChange = view !== null && may(me, 'changeView') && (view.visibility === 'me' || mayShare);
  const save = useAction(async (own: View) => {
    const params = { path: { id: own.id }, header: { 'If-Match': `"${own.revision}"` } };
    await api.PATCH('/api/views/{id}', { params, body: { settings } });
    await refresh();
  });
  if (!isOffered) return { menu: null, state: null };
  const choose = (id: string) => {
    if (id === '*new' || id === '*edit') setDialog(id === '*new' ? 'new' : 'edit');
    else show(views.find((own) => own.id === id) ?? null);
  };
  const menu = (
    <>
      <MenuTrigger>
        <AriaButton className={`${buttonClass} ${styles.view}`}>
          <Icon name="view" /> {texts.view}:{' '}
          {view === null ? texts.standard : <ForeignText isCut>{view.name}</ForeignText>}{' '}
          <span aria-hidden="true">▾</span>
        </AriaButton>
        <Popover className={popoverClass} placement="bottom start">
          <Menu className={menuClass} aria-label={texts.view} onAction={(id) => choose(String(id))}>
            <MenuItem id={standard}>{texts.standard}</MenuItem>
            <Saved title={texts.mine} views={views.filter(({ visibility }) => visibility === 'me')} />
            <Saved title={texts.ofTenant} views={views.filter(({ visibility }) => visibility === 'tenant')} />
            <MenuItem id="*new">{texts.saveAs}</MenuItem>
            {mayChange && <MenuItem id="*edit">{texts.edit}</MenuItem>}
          </Menu>
        </Popover>
      </MenuTrigger>
      {dialog !== null && (
        <ViewDialog
          view={dialog === 'edit' ? view : null}
          names={views.map(({ name }) => name)}
          settings={settings}
          list={list}
          mayShare={mayShare}
          close={() => setDialog(null)}
          saved={async (next) => {
            await refresh();
            // What is changed but not saved stays while a view gets another name.
            if (dialog === 'new' || next === null) show(next);
          }}
        />
      )}
    </>
  );
  const hasState = isChanged || isMissing || save.fault !== null;
  const state = hasState && (
    <>
      {isChanged && (
        <>
          <span>{texts.changed}</span>
          {mayChange && (
            <Button disabled={save.isBusy} onClick={() => void save.run(view!)}>
              {texts.save}
            </Button>
          )}
          <Button onClick={() => setDialog('new')}>{texts.saveAs}</Button>
          <Button look="quiet" onClick={() => show(view)}>
            {texts.undo}
          </Button>
        </>
      )}
      {isMissing && <Notice tone="warn">{texts.missing}</Notice>}
      <FaultNotice fault={save.fault} />
    </>
  );
  return { menu, state };
}

function Saved({ title, views }: { title: string; views: readonly View[] }) {
  const texts = useViewTexts();
  if (views.length === 0) return null;
  return (
    <MenuSection>
      <Header>{title}</Header>
      {views.map(({ id, name, isDefault }) => (
        <MenuItem key={id} id={id} textValue={name}>
          <ForeignText isCut>{name}</ForeignText> {isDefault && texts.isDefault}
        </MenuItem>
      ))}
    </MenuSection>
  );
}
