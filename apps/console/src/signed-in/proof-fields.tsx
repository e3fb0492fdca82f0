import { Field } from '@canvass/console-ui';
import type { Fault } from '../api';
import { useProofTexts } from './proof-texts';

/** A proof of who the user is. */
export interface OwnProof {
  currentPassword: string;
  code?: string;
}

interface ProofFieldsProps {
  own: OwnProof;
  setOwn(own: OwnProof): void;
  /** The refusal of the API, which asks for the code of users who have a second factor. */
  fault: Fault | null;
}

/** The password, and the code once the API has asked for it. */
export function ProofFields({ own, setOwn, fault }: ProofFieldsProps) {
  const texts = useProofTexts();
  const asksCode = own.code !== undefined || fault?.violations.some(({ path }) => path === 'code');
  return (
    <>
      <Field
        name="currentPassword"
        label={texts.currentPassword}
        type="password"
        autoComplete="current-password"
        required
        value={own.currentPassword}
        onChange={(event) => setOwn({ ...own, currentPassword: event.target.value })}
      />
      {asksCode && (
        <Field
          name="code"
          label={texts.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={own.code ?? ''}
          onChange={(event) => setOwn({ ...own, code: event.target.value })}
        />
      )}
    </>
  );
}
