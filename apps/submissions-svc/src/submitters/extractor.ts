export type {
  CreateResolver,
  ExtractedSubmitter,
  SubmitterExtractor,
  SubmitterResolver,
  SubmitterSettings,
} from '@canvass/extensions';

/** A respondent ready to be stored: checked, and with the profile that the configuration lets through. */
export interface ResolvedSubmitter {
  authProvider: string;
  externalSubjectId: string;
  displayId: string;
  appUserId: string | null;
  profile: Record<string, string>;
}
