import { dialogBodyClass, ModalDialog } from '@canvass/console-ui/dialog';
import { useTexts } from '../i18n';
import { ProviderButtons, SignInForm, useSessionState } from '../session';
import { useConfiguration } from './configuration';
import { useMe } from './me';

/** A dialog over the page when the session has ended: the page stays as it is, and its requests wait. */
export function SignInAgain() {
  const texts = useTexts();
  const me = useMe();
  const { signInProviders } = useConfiguration();
  const own = signInProviders.filter(({ name }) => me.kind === 'external' && name === me.provider);
  return (
    <ModalDialog role="alertdialog" title={texts.sessionEndedTitle} isOpen={useSessionState() === 'expired'}>
      <div className={dialogBodyClass}>
        <p>{texts.sessionEndedText}</p>
        {own.length > 0 ? (
          <ProviderButtons providers={own} isBeside />
        ) : (
          <SignInForm email={me.email ?? ''} tenant={me.tenantId} />
        )}
      </div>
    </ModalDialog>
  );
}
