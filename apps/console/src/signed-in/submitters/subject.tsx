import type { components } from '@canvass/client';
import { ForeignText } from '@canvass/console-ui';
import { ShownId } from '../copy-button';

type Submitter = Pick<components['schemas']['Submitter'], 'externalSubjectId' | 'appUserId'>;

/** The name of a person at the provider. For a user of this installation it is an id of the user. */
export function Subject({ of: { externalSubjectId, appUserId } }: { of: Submitter }) {
  return externalSubjectId === appUserId ? (
    <ShownId id={externalSubjectId} />
  ) : (
    <ForeignText isCut>{externalSubjectId}</ForeignText>
  );
}
