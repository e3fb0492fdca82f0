import { exactObject, formExample, wireId } from '@canvass/contracts';
import { pageOf, pageSchema, type DescribedAnswer } from '@canvass/service-kit';
import Joi from 'joi';
import type { UsingForm } from './access.sql';

/** What the operations on the use of lists answer, for documents and tests. */

const example: UsingForm = { id: formExample.id, name: formExample.name, isEnabled: true };

const usingForm = exactObject<UsingForm>('UsingForm', {
  id: wireId.description('id of the form'),
  name: Joi.string().allow('').description('what the form is called'),
  isEnabled: Joi.boolean().description('whether the form takes submissions'),
})
  .description('A form that may read a data list.')
  .example(example);

export const pageOfUsingForms: DescribedAnswer = {
  description: 'A page of the forms that name the list, disabled ones too.',
  body: pageSchema('UsingFormPage', usingForm),
  example: pageOf([example], 1, { page: 1, pageSize: 10 }),
};
