import type { components } from '@canvass/client';
import { useQuery } from '@tanstack/react-query';
import { api, exactDataOf } from './api';

export type Form = components['schemas']['Form'];

/** A form as it is now. */
export const useForm = (formId: string) =>
  useQuery({
    queryKey: ['form', formId],
    queryFn: ({ signal }) =>
      exactDataOf<Form>(
        api.GET('/api/forms/{formId}', { params: { path: { formId } }, parseAs: 'text', signal }),
      ),
  });
