import { loadable } from '../../loadable';

/** The pages on forms. Their code is loaded when one of them is opened. */
export const FormsPage = loadable(() => import('./forms-page'));
export const FormDefinitionPage = loadable(() => import('./definition-page'));
export const FormSharePage = loadable(() => import('./share-page'));
export const FormVersionsPage = loadable(() => import('./versions-page'));
export const FormNumbersPage = loadable(() => import('./numbers-page'));
export const FormSettingsPage = loadable(() => import('./settings-page'));
