export { eraseSubmission } from './erase-submission';
export { eraseSubmissions } from './erase-submissions';
