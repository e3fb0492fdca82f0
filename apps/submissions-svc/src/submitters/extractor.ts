export type {
  CreateResolver,
  ExtractedSubmitter,
  SubmitterExtractor,
  SubmitterResolver,
  SubmitterSettings,
} from '@canvass/extensions';

/** A checked respondent, ready to be stored, with the configured profile fields only. */
export interface ResolvedSubmitter {
  authProvider: string;
  externalSubjectId: string;
  displayId: string;
  appUserId: string | null;
  profile: Record<string, string>;
  /** False: if it is known already, it keeps its display id and profile. */
  refreshes?: false;
}
