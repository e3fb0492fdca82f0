import { loadable } from '../../loadable';

/** The pages on data lists. Their code is loaded when one of them is opened. */
export const DataListsPage = loadable(() => import('./lists-page'));
export const ItemsPage = loadable(() => import('./items-page'));
export const TrySearchPage = loadable(() => import('./try-search-page'));
export const EditPage = loadable(() => import('./edit-page'));
export const VersionsPage = loadable(() => import('./versions-page'));
export const ImportPage = loadable(() => import('./import-page'));
export const StagedImportPage = loadable(() => import('./staged-import-page'));
export const ListSettingsPage = loadable(() => import('./settings-page'));
