export { deleteVersions } from './erase.sql';
export { eraseSubmission } from './erase-submission';
export { eraseSubmissions } from './erase-submissions';
