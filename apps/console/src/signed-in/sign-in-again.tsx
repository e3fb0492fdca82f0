import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../i18n';
import { ProviderButtons, SignInForm, useSessionState } from '../session';
import { useConfiguration } from './configuration';
import { useMe } from './me';
import styles from './shell.module.css';

/** A dialog over the page when the session has ended: the page stays as it is, and its requests wait. */
export function SignInAgain() {
  const texts = useTexts();
  const me = useMe();
  const { signInProviders } = useConfiguration();
  const own = signInProviders.filter(({ name }) => me.kind === 'external' && name === me.provider);
  return (
    <ModalOverlay className={styles.overlay} isOpen={useSessionState() === 'expired'}>
      <Modal className={styles.dialog}>
        <Dialog role="alertdialog" className={styles.form}>
          <Heading slot="title" level={2}>
            {texts.sessionEndedTitle}
          </Heading>
          <p>{texts.sessionEndedText}</p>
          {own.length > 0 ? (
            <ProviderButtons providers={own} isBeside />
          ) : (
            <SignInForm email={me.email ?? ''} tenant={me.tenantId} />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
