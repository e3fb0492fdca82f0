export { isFormPage, loadFormPages, sendFormPageFile, type AskedPage, type FormPages } from './form-page';
