import { useState, useSyncExternalStore } from 'react';
import { useAction } from './action';
import { api, dataOf } from './api';
import { FormDialog } from './form-dialog';
import { proof } from './proof';
import { ProofFields, type OwnProof } from './proof-fields';
import { useProofTexts } from './proof-texts';

/** A dialog over the page while a request waits for a fresh proof of the user. */
export function ProofDialog() {
  return useSyncExternalStore(proof.subscribe, proof.isAsked) ? <Question /> : null;
}

function Question() {
  const texts = useProofTexts();
  const [own, setOwn] = useState<OwnProof>({ currentPassword: '' });
  const prove = useAction(async () => {
    proof.end(await dataOf(api.POST('/api/auth/me/proof', { body: own })));
  });
  return (
    <FormDialog title={texts.title} submit={texts.prove} action={prove} close={() => proof.end(null)}>
      <p>{texts.text}</p>
      <ProofFields own={own} setOwn={setOwn} fault={prove.fault} />
    </FormDialog>
  );
}
