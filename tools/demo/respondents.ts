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

const answers = (country: string) => ({ jsonData: JSON.stringify({ country }) });

/** One submission of each kind: three that complete and one that is screened out. */
export async function playRespondents(
  say: (line: string) => void,
  formId: string,
  { anonymous, identified, integration }: Respondents,
): Promise<{ completed: SubmissionView[]; screenedOut: SubmissionView }> {
  const path = `/api/forms/${formId}/submissions`;
  const isComplete = true;
  say('  Respondents:');

  const begun = await anonymous.post<{ token: string }>(path, { ...answers('IS'), currentPage: 1 });
  const first = await anonymous.patch<SubmissionView>(`${path}/by-token/${begun.token}`, { isComplete });
  say(`    anonymous    submission ${first.id}, begun, then completed with its token, no submitter`);

  const of = ({ id, submitterId, submitterDisplayId }: SubmissionView) =>
    `submission ${id}, submitter ${submitterId} (${submitterDisplayId})`;
  const second = await identified.post<SubmissionView>(path, { ...answers('CI'), isComplete });
  say(`    identified   ${of(second)}`);

  const profile = { department: 'Sales', shoeSize: '39' };
  const third = await integration.post<SubmissionView>(`/forms/${formId}/submissions/onbehalf`, {
    ...answers('GR'),
    isComplete,
    submitter: { externalSubjectId: 'crm-4711', displayId: 'Ελένη Παπαδοπούλου', profile },
  });
  say(`    on behalf    ${of(third)}, snapshot ${JSON.stringify(third.submitterProfileSnapshot)}`);

  const collectionOutcome = 'screen_out';
  const screenedOut = await anonymous.post<SubmissionView>(path, { ...answers('AQ'), collectionOutcome });
  say(`    screened out submission ${screenedOut.id}, ${screenedOut.collectionStatus}`);
  return { completed: [first, second, third], screenedOut };
}
