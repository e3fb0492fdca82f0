import { actorSchema } from '@canvass/audit';
import { exactObject, wireDate, wireId } from '@canvass/contracts';
import { listAnswer, type DescribedAnswer, type Wire } from '@canvass/service-kit';
import Joi from 'joi';
import type { PasswordLink } from './make-link';
import type { OpenLink } from './password-links.sql';

/** Responses of the operations on password links, for documents and tests. */

const example: Wire<PasswordLink> = {
  sentTo: 'grace@example.org',
  token: null,
  url: null,
  expiresAt: '2026-11-23T08:00:00.000Z',
};

export const madeLink: DescribedAnswer = {
  description: 'Where the link is. A token is in this response only, and only if it was not sent.',
  body: exactObject<Wire<PasswordLink>>('PasswordLink', {
    sentTo: Joi.string().allow(null).description('address to which it was sent; null: pass it on yourself'),
    token: Joi.string().allow(null).description('for `setPassword`; null if it was sent'),
    url: Joi.string()
      .allow(null)
      .description('page with the token; null if it was sent or no page is configured'),
    expiresAt: wireDate.description('when it stops to work'),
  }),
  example,
};

const openExample: Wire<OpenLink> = {
  userId: '186512345670000128',
  email: 'grace@example.org',
  madeBy: { provider: 'Service', kind: 'user', subject: '186512345670000064' },
  madeAt: '2026-11-20T08:00:00.000Z',
  expiresAt: '2026-11-23T08:00:00.000Z',
  isMailed: true,
};

const openLink = exactObject<Wire<OpenLink>>('OpenPasswordLink', {
  userId: wireId.description('whose password it sets'),
  email: Joi.string().description('address of the user when it was made'),
  madeBy: actorSchema
    .allow(null)
    .description('who made it; null: a person who forgot the password, or the operator'),
  madeAt: wireDate.description('when it was made'),
  expiresAt: wireDate.description('when it stops to work'),
  isMailed: Joi.boolean().description('whether it was sent to the address, and so is known to no one else'),
})
  .description('A link with which a user can set a password now.')
  .example(openExample);

export const pageOfLinks = listAnswer(
  'OpenPasswordLink',
  openLink,
  openExample,
  'A page of open links, the last made first.',
);

export const withdrawnLink: DescribedAnswer = { description: 'The link does not work any more.' };
