export { publicFormSettingsSchema, type PublicFormSettings } from './challenge-settings';
export { createChallenges, type Challenges, type ChallengeView } from './challenges';
export { challengeKeys, newChallenge } from './proof-of-work';
