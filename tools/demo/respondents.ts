import type { SubmissionView } from '@canvass/contracts';
import type { Client } from '@canvass/testing';

/** The callers that answer the form. */
export interface Respondents {
  anonymous: Client;
  /** Signed in with the service's own provider. */
  identified: Client;
  /** A trusted integration that answers for another person. */
  integration: Client;
}

type WithToken = SubmissionView & { token: string };

const answers = (country: string) => JSON.stringify({ country });

/** One submission of each kind: three that complete and one that is screened out. */
export async function playRespondents(
  say: (line: string) => void,
  formId: string,
  callers: Respondents,
): Promise<{ completed: SubmissionView[]; screenedOut: SubmissionView }> {
  const submissions = `/api/forms/${formId}/submissions`;
  say('  Respondents:');

  const begun = await callers.anonymous.post<WithToken>(submissions, {
    jsonData: answers('IS'),
    currentPage: 1,
  });
  const anonymous = await callers.anonymous.patch<SubmissionView>(`${submissions}/by-token/${begun.token}`, {
    isComplete: true,
  });
  say(`    anonymous    submission ${anonymous.id}, begun, then completed with its token, no submitter`);

  const identified = await callers.identified.post<SubmissionView>(submissions, {
    jsonData: answers('CI'),
    isComplete: true,
  });
  say(
    `    identified   submission ${identified.id}, submitter ${identified.submitterId} (${identified.submitterDisplayId})`,
  );

  const onBehalf = await callers.integration.post<SubmissionView>(`/forms/${formId}/submissions/onbehalf`, {
    jsonData: answers('GR'),
    isComplete: true,
    submitter: {
      externalSubjectId: 'crm-4711',
      displayId: 'Ελένη Παπαδοπούλου',
      profile: { department: 'Sales', shoeSize: '39' },
    },
  });
  say(
    `    on behalf    submission ${onBehalf.id}, submitter ${onBehalf.submitterId} (${onBehalf.submitterDisplayId}), ` +
      `snapshot ${JSON.stringify(onBehalf.submitterProfileSnapshot)}`,
  );

  const screenedOut = await callers.anonymous.post<SubmissionView>(submissions, {
    jsonData: answers('AQ'),
    collectionOutcome: 'screen_out',
  });
  say(`    screened out submission ${screenedOut.id}, ${screenedOut.collectionStatus}`);
  return { completed: [anonymous, identified, onBehalf], screenedOut };
}
