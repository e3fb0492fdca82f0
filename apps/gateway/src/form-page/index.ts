export { isFormPage, loadFormPages, sendFormPageFile, type FormPages } from './form-page';
