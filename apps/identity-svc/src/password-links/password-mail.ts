import type { Mail } from '@canvass/mail';
import type { Queryable } from '@canvass/postgres';
import { tenantName } from '../tenants';
import { preferredLanguage } from '../views';

interface Texts {
  subject(tenant: string): string;
  text(tenant: string, url: string, end: string): string;
}

const en: Texts = {
  subject: (tenant) => `Set your password at ${tenant} (Canvass)`,
  text: (tenant, url, end) => `You have an account at ${tenant} in Canvass. Set its password on this page:

${url}

The link works once, until ${end}.
If you do not know why you got this mail, do nothing: nothing changes then.
`,
};

const de: Texts = {
  subject: (tenant) => `Ihr Passwort bei ${tenant} (Canvass)`,
  text: (
    tenant,
    url,
    end,
  ) => `Sie haben ein Konto bei ${tenant} in Canvass. Setzen Sie sein Passwort auf dieser Seite:

${url}

Der Link gilt einmal, bis ${end}.
Wenn Sie nicht wissen, warum Sie diese E-Mail bekommen, tun Sie nichts: Dann ändert sich nichts.
`,
};

/** In the languages of the console. */
const texts: Readonly<Record<string, Texts>> = { en, de };

/** The mail with a link, in the language of its user or else of the tenant; English for neither. */
export async function passwordMail(
  db: Queryable,
  { tenantId, id, email }: { tenantId: string; id: string; email: string },
  url: string,
  expiresAt: Date,
): Promise<Mail> {
  const tenant = (await tenantName(db, tenantId)) ?? tenantId;
  const language = (await preferredLanguage(db, tenantId, id, Object.keys(texts))) ?? 'en';
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const { subject, text } = texts[language]!;
  return {
    to: email,
    language,
    subject: subject(tenant),
    text: text(tenant, url, `${format.format(expiresAt)} UTC`),
  };
}
