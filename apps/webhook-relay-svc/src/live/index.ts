export { createLiveFeed } from './live-feed';
export { liveRoutes } from './live.routes';
export { createLiveIntake } from './live-intake';
