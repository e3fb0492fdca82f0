export { isFormPage, loadFormPages, requirePageRead, sendFormPageFile, type FormPages } from './form-page';
