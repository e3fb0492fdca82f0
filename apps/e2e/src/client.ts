import { clientCredentials, clientOf, login, type Client } from '@canvass/testing';
import { stackFile } from './stack';

/** The tenant of `Callers.admin`. A user that it makes has proved no mailbox, and names it to sign in. */
export const demoTenant = 'Demo';

/** The callers of the tests, each signed in through the gateway. */
export interface Callers {
  gatewayUrl: string;
  anonymous: Client;
  admin: Client;
  /** Administrator of another tenant. */
  stranger: Client;
  /** A service account with the role Integration. */
  integration: Client;
}

export async function signIn(): Promise<Callers> {
  const { gatewayUrl, demo } = await stackFile();
  const signedIn = async (email: string, password: string) =>
    clientOf(gatewayUrl, await login(gatewayUrl, email, password));
  return {
    gatewayUrl,
    anonymous: clientOf(gatewayUrl),
    admin: await signedIn(demo.adminEmail, demo.adminPassword),
    stranger: await signedIn(demo.otherTenant.adminEmail, demo.otherTenant.adminPassword),
    integration: clientOf(gatewayUrl, await clientCredentials(gatewayUrl, demo.serviceAccount)),
  };
}
