import { exactObject, formExample, wireId } from '@canvass/contracts';
import { listAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { UsingForm } from './access.sql';

/** Responses of the operations on the use of lists, for documents and tests. */

const example: UsingForm = { id: formExample.id, name: formExample.name, isEnabled: true };

const usingForm = exactObject<UsingForm>('UsingForm', {
  id: wireId.description('id of the form'),
  name: Joi.string().allow('').description('name of the form'),
  isEnabled: Joi.boolean().description('whether the form accepts submissions'),
})
  .description('A form that may read a data list.')
  .example(example);

export const pageOfUsingForms = listAnswer(
  'UsingForm',
  usingForm,
  example,
  'A page of the forms that use the list, including disabled ones.',
);
