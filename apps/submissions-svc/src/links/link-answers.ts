import { actorSchema } from '@canvass/audit';
import { exactObject, wireDate, wireId } from '@canvass/contracts';
import { listAnswer, visibleText, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { LinkBody, NewLinkView } from './links';
import { linkRights, type Link } from './links.sql';

/** Bodies and answers of the operations on links, for documents and tests. */

const rights =
  '`view`: reads the submission; `continue`: also saves until it is complete, within the times of the form; `edit`: also saves after completion and after the form has closed';

const maxDays = 366;
const dayMs = 86_400_000;

/** The expiry of a link. */
export const expirySchema = Joi.date()
  .iso()
  .custom((value: Date, { message }) =>
    value.getTime() <= Date.now() || value.getTime() > Date.now() + maxDays * dayMs
      ? message({ custom: `must be in the future, at most ${maxDays} days from now` })
      : value,
  )
  .description(`when the link ends, at most ${maxDays} days from now; default 30 days`);

/** The words of a link's maker. */
export const noteSchema = visibleText(500).description('words for colleagues');

export const linkBody = Joi.object<LinkBody>({
  right: Joi.string()
    .valid(...linkRights)
    .required()
    .description(rights),
  expiresAt: expirySchema,
  note: noteSchema,
})
  .example({ right: 'continue', note: 'Sent by mail' })
  .id('LinkBody');

const example: Link = {
  id: '186512345691000192',
  right: 'continue',
  note: 'Sent by mail',
  createdBy: { provider: 'Service', kind: 'user', subject: '186512345600000512' },
  createdAt: '2026-11-20T12:00:00.000Z',
  expiresAt: '2026-12-20T12:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
};
const token = 'lb2N0b2JlciBmb3IgcmVhbCwgbm90IGEgc2VjcmV0ISE';

const members: Joi.StrictSchemaMap<Link> = {
  id: wireId.description('id of the link'),
  right: Joi.string()
    .valid(...linkRights)
    .description(rights),
  note: Joi.string().allow(null).description('words of its maker'),
  createdBy: actorSchema.allow(null).description('who made it'),
  createdAt: wireDate.description('when it was made'),
  expiresAt: wireDate.description('when it ends'),
  lastUsedAt: wireDate.allow(null).description('last use; null: not used yet'),
  revokedAt: wireDate
    .allow(null)
    .description('when it was revoked, or its submission deleted; null: it was not'),
};

/** The example of a new link. */
export const newLinkExample: NewLinkView = { ...example, token };

export const newLinkSchema = exactObject<NewLinkView>('SubmissionLinkWithToken', {
  ...members,
  token: Joi.string()
    .pattern(/^l[A-Za-z0-9_-]{43}$/)
    .allow(null)
    .description(
      'shown only now, null in a repeated response; the link is `/f/{formId}#link={token}`, and programs send it as `X-Submission-Token`',
    ),
})
  .description('A link to a submission, with its token.')
  .example(newLinkExample);

export const newLink: DescribedAnswer = {
  description: 'The new link. Its token is not shown again.',
  body: newLinkSchema,
  headers: { Location: 'the URL of the link, at which it is revoked' },
  example: newLinkExample,
};

export const pageOfLinksAnswer = listAnswer(
  'SubmissionLink',
  exactObject<Link>('SubmissionLink', members).description('A link to a submission.').example(example),
  example,
  'A page of links.',
);
