export { useSavedViews, type Views } from './saved-views';
