import type Joi from 'joi';

const characters = (limit: string) =>
  `must be ${limit} {if(#limit == 1, "1 character", #limit + " characters")} long`;
const elements = (limit: string) => `must have ${limit} {if(#limit == 1, "1 element", #limit + " elements")}`;
const members = (limit: string) => `must have ${limit} {if(#limit == 1, "1 member", #limit + " members")}`;

/** Messages of broken rules. They follow the name of the field and never repeat its value. */
export const messages: Joi.LanguageMessages = {
  'any.invalid': 'has a value that is not allowed',
  'any.required': 'is required',
  'any.unknown': 'is not allowed here',
  'array.base': 'must be an array',
  'array.length': elements('exactly'),
  'array.max': elements('at most'),
  'array.min': elements('at least'),
  'array.sparse': 'must not be null',
  'array.unique': 'repeats an earlier element',
  'boolean.base': 'must be true or false',
  'date.base': 'must be a date or a time in ISO 8601',
  'date.format': 'must be a date or a time in ISO 8601',
  'number.base': 'must be a number',
  'number.infinity': 'is a number out of range',
  'number.integer': 'must be a whole number',
  'number.max': 'must be at most {{#limit}}',
  'number.min': 'must be at least {{#limit}}',
  'number.unsafe': 'is a number out of range',
  'object.base': 'must be an object',
  'object.max': members('at most'),
  'object.min': members('at least'),
  'object.missing': 'must have at least one of {{#peers}}',
  'object.unknown': 'is not a known member',
  'object.without': 'cannot be combined with {{#peer}}',
  'object.xor': 'must have only one of {{#peers}}',
  'string.base': 'must be a string',
  'string.email': 'must be an e-mail address',
  'string.empty': 'must not be empty',
  'string.length': characters('exactly'),
  'string.max': characters('at most'),
  'string.min': characters('at least'),
  'string.pattern.base': 'must match the pattern {{#regex}}',
  'string.uri': 'must be a URI',
};
