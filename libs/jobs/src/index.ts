export { jobState, startedBySchema } from './answers';
export { cancelJob, readJob, readJobs, startJob } from './jobs';
export { jobStates, type JobRow, type JobState } from './jobs.sql';
export { jobsMigration } from './migration';
export { jobRoutes } from './routes';
export { createJobWorker, type JobStep, type RunningJob, type Step } from './worker';
