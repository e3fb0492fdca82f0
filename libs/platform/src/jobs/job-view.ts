import type { JobRow } from './jobs.sql';

/** A job without its request, which may contain personal data, such as a text that was searched. */
export type JobView = Omit<JobRow, 'request'>;

export const jobView = ({ request: _, ...view }: JobRow): JobView => view;
