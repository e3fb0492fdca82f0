export { createJobs } from './areas';
export { jobsRoutes } from './jobs.routes';
