export { addComment, pageOfComments, removeComment } from './comments';
export { commentBody, limitText, newComment, pageOfCommentsAnswer } from './comment-answers';
