import { useEffect, useState, type FormEvent } from 'react';
import { createRoot } from 'react-dom/client';
import { Fault, readConfiguration, type Configuration } from '../api';
import { createSession } from '../session/session';
import { caller } from './call';
import { say, takePage, type PageData, type SignInData } from './page';

interface Me {
  provider: string;
  subject: string;
  email: string | null;
  name: string | null;
}

const session = createSession();

/** Asks for a sign-in. Shows the page to the one who has signed in, and returns its data. */
export async function enter({ texts }: SignInData): Promise<PageData | null> {
  const place = document.createElement('div');
  document.getElementById('form')!.before(place);
  const root = createRoot(place);
  let wasIn = false;
  await new Promise<void>((resolve) => {
    session.subscribe(() => {
      const state = session.state();
      if (state === 'signed-out' && wasIn) return location.reload();
      if (state === 'unreachable') return void setTimeout(() => void session.start(), 5_000);
      if (state === 'starting') return;
      const isIn = state === 'signed-in';
      say(state === 'expired' ? texts['signedOut']! : '');
      root.render(isIn ? null : <SignIn texts={texts} />);
      wasIn ||= isIn;
      if (isIn) resolve();
    });
    void session.start();
  });
  const { provider, subject, email, name } = (await (await session.takeUser())!.json()) as Me;
  const owner = `${provider} ${subject}`;
  Object.assign(caller, { token: session.token, forget: session.forget, owner });
  const data = await takePage({ Authorization: `Bearer ${await session.token()}` });
  const person = document.createElement('div');
  document.querySelector('main')!.append(person);
  createRoot(person).render(
    <p className="person">
      {texts['signedInAs']!.replace('{name}', name ?? email ?? subject)}{' '}
      <button onClick={() => void session.signOut()}>{texts['signOut']}</button>
    </p>,
  );
  return data;
}

/** Address and password, what the server asks for besides, and a button for each external provider. */
function SignIn({ texts }: { texts: PageData['texts'] }) {
  const [ways, setWays] = useState<Configuration | null>(null);
  const [fault, setFault] = useState<Fault | null>(session.refusal());
  const [asked, setAsked] = useState<readonly string[]>([]);
  useEffect(() => void readConfiguration().then(setWays, setFault), []);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    try {
      await session.signIn(values as { email: string; password: string });
    } catch (error) {
      const code = error instanceof Fault ? error.code : '';
      const more = { tenant_required: 'tenant', second_factor_required: 'code' }[code];
      setAsked(more === undefined || asked.includes(more) ? asked : [...asked, more]);
      setFault(more === undefined ? (error as Fault) : null);
    }
  }

  const field = (name: string, type: string, autoComplete: string) => (
    <label>
      {texts[name]}
      <input name={name} type={type} autoComplete={autoComplete} required />
    </label>
  );
  const isRefused = fault !== null && fault.status >= 400 && fault.status < 500 && fault.status !== 429;
  return (
    <div className="message sign-in">
      {fault !== null && <p role="alert">{texts[isRefused ? 'notEntered' : 'notNow']}</p>}
      {ways?.hasOwnSignIn && (
        <form onSubmit={(event) => void submit(event)}>
          {field('email', 'email', 'username')}
          {field('password', 'password', 'current-password')}
          {asked.includes('tenant') && field('tenant', 'text', 'organization')}
          {asked.includes('code') && field('code', 'text', 'one-time-code')}
          <button className="main">{texts['enter']}</button>
        </form>
      )}
      {ways?.signInProviders.map((provider) => (
        <button key={provider.name} onClick={() => void session.signInAt(provider)}>
          {texts['enterAt']!.replace('{name}', provider.name)}
        </button>
      ))}
    </div>
  );
}
