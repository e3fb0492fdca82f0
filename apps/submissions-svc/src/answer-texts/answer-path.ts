/** The fields `answers.<path>` of filters and of `fields`: answers by the name of their question. */
export const answersPrefix = 'answers.';

/** Longest path in characters. */
export const maxAnswerPathLength = 300;

/** The names on a path: `address.city` is the member `city` of the answer `address`. */
export const pathOfAnswer = (path: string): string[] => path.split('.');
