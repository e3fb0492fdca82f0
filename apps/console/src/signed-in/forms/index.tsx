import { lazy } from 'react';

/** The pages on forms. Their code is loaded when one of them is opened. */
export const FormsPage = lazy(() => import('./forms-page'));
export const FormDefinitionPage = lazy(() => import('./definition-page'));
export const FormVersionsPage = lazy(() => import('./versions-page'));
export const FormNumbersPage = lazy(() => import('./numbers-page'));
export const FormSettingsPage = lazy(() => import('./settings-page'));
