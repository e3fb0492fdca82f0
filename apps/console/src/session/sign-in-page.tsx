import { consolePath } from '../base';
import { useTexts } from '../i18n';
import { CardPage } from './card-page';
import { SignInChoice, useWays } from './sign-in-choice';

/** The page of those who are not signed in. */
export function SignInPage() {
  const texts = useTexts();
  const ways = useWays();
  return (
    <CardPage
      title={texts.signInTitle}
      name={texts.signIn}
      lead={texts.signInLead}
      link={ways?.hasOwnSignIn && <a href={`${consolePath}/set-password`}>{texts.forgotten}</a>}
    >
      <SignInChoice ways={ways} />
    </CardPage>
  );
}
