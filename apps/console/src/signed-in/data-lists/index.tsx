import { lazy } from 'react';

/** The pages on data lists. Their code is loaded when one of them is opened. */
export const DataListsPage = lazy(() => import('./lists-page'));
export const ItemsPage = lazy(() => import('./items-page'));
export const TrySearchPage = lazy(() => import('./try-search-page'));
export const VersionsPage = lazy(() => import('./versions-page'));
export const ImportPage = lazy(() => import('./import-page'));
export const StagedImportPage = lazy(() => import('./staged-import-page'));
export const ListSettingsPage = lazy(() => import('./settings-page'));
