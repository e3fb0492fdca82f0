import type { components } from '@canvass/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { get } from '../api';
import type { KeptLayout } from '../kept-layouts';
import { may, useMe } from '../me';
import { isSameView, queryOf, settingsOf, type ViewSettings } from './view-settings';

export type View = components['schemas']['View'];

/** The list that views belong to. */
export interface ViewedList {
  /** `screen` of the API. */
  screen: string;
  /** Id of the form whose rows are shown; null for a list of the tenant. */
  scopeId: string | null;
  layout: KeptLayout;
  setLayout(change: Partial<KeptLayout>): void;
  /** Returns whether it has views. */
  isOffered: boolean;
}

/** Value of the parameter `view` for no view, also if there is a default. */
export const standard = '0';

/** The views of a list, which of them is shown, and the way to another one. */
export function useViews({ screen, scopeId, layout, setLayout, ...list }: ViewedList) {
  const me = useMe();
  const client = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const queryKey = ['views', screen, scopeId];
  const isOffered = list.isOffered && may(me, 'listViews');
  const { data } = useQuery({
    queryKey,
    enabled: isOffered,
    queryFn: async ({ signal }) =>
      (
        await get(
          '/api/views',
          { query: { screen, ...(scopeId !== null && { scopeId }), limit: 200 } },
          signal,
        )
      ).items as View[],
  });
  const named = search.get('view');
  const view = data?.find(({ id }) => id === named);
  const shown: ViewSettings = { layout, query: queryOf(search) };

  const show = (next: View | null, isReplacement = false) => {
    const { layout: own, query } = settingsOf(next?.settings);
    setLayout({ ...own, view: next?.id ?? null });
    const params = new URLSearchParams(query);
    params.set('view', next?.id ?? standard);
    setSearch(params, { replace: isReplacement });
  };

  // The address names a view whose columns this browser does not show yet; or it is that of the bare list,
  // which opens with the default view, an own one before that of the tenant.
  const isBare = data !== undefined && named === null && shown.query === '';
  const first = data?.find((own) => own.isDefault && own.visibility === 'me') ?? data?.find(isDefault);
  useEffect(() => {
    if (view !== undefined && layout.view !== view.id) {
      setLayout({ ...settingsOf(view.settings).layout, view: view.id });
    } else if (isBare && first !== undefined) {
      const { query, layout: own } = settingsOf(first.settings);
      if (layout.view !== first.id) setLayout({ ...own, view: first.id });
      const params = new URLSearchParams(query);
      params.set('view', first.id);
      setSearch(params, { replace: true });
    }
  });

  return {
    isOffered,
    views: data ?? [],
    view: view ?? null,
    /** Returns whether the address names a view that is not there. */
    isMissing: data !== undefined && named !== null && named !== standard && view === undefined,
    isChanged: view !== undefined && layout.view === view.id && !isSameView(shown, settingsOf(view.settings)),
    shown,
    show,
    /** Reads the views again. */
    refresh: () => client.invalidateQueries({ queryKey }),
  };
}

const isDefault = (view: View): boolean => view.isDefault;
