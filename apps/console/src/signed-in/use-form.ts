import { useQuery } from '@tanstack/react-query';
import { api, exactDataOf } from './api';
import type { Form } from './form-frame';

/** A form as it is now. */
export const useForm = (formId: string) =>
  useQuery({
    queryKey: ['form', formId],
    queryFn: ({ signal }) =>
      exactDataOf<Form>(
        api.GET('/api/forms/{formId}', { params: { path: { formId } }, parseAs: 'text', signal }),
      ),
  });
