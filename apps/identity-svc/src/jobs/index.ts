export { createJobs, type Jobs } from './areas';
export { jobsRoutes } from './jobs.routes';
