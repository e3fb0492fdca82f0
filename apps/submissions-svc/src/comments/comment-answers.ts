import { actorSchema } from '@canvass/audit';
import { exactObject, wireDate, wireId } from '@canvass/contracts';
import { listAnswer, visibleText, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import { maxComments, type Comment } from './comments.sql';

/** Bodies and answers of the operations on comments, for documents and tests. */

const maxLength = 4_000;

export const commentBody = Joi.object<Pick<Comment, 'text'>>({
  text: visibleText(maxLength).required().description('words for colleagues; respondents never see them'),
})
  .example({ text: 'The address does not match the invoice.' })
  .id('SubmissionCommentBody');

const example: Comment = {
  id: '186512345691000192',
  text: 'The address does not match the invoice.',
  createdBy: { provider: 'Service', kind: 'user', subject: '186512345600000512' },
  createdAt: '2026-11-20T12:00:00.000Z',
};

const comment = exactObject<Comment>('SubmissionComment', {
  id: wireId.description('id of the comment'),
  text: Joi.string().max(maxLength).description('words for colleagues'),
  createdBy: actorSchema.description('who wrote it'),
  createdAt: wireDate.description('when it was written'),
})
  .description('A comment on a submission.')
  .example(example);

export const newComment: DescribedAnswer = {
  description: 'The new comment.',
  body: comment,
  headers: { Location: 'the URL of the comment, at which it is deleted' },
  example,
};

export const pageOfCommentsAnswer = listAnswer('SubmissionComment', comment, example, 'A page of comments.');

/** The text of the documents on the limit. */
export const limitText = `A submission has at most ${maxComments} comments.`;
