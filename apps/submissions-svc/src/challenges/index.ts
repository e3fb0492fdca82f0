export { publicFormSettingsSchema, type PublicFormSettings } from './challenge-settings';
export { createChallenges, type Challenges } from './challenges';
export { challengeRoutes } from './challenges.routes';
export { challengeKeys, newChallenge } from './proof-of-work';
