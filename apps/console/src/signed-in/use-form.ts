import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from './api';

/** A form as it is now. */
export const useForm = (formId: string) =>
  useQuery({
    queryKey: ['form', formId],
    queryFn: ({ signal }) => dataOf(api.GET('/api/forms/{formId}', { params: { path: { formId } }, signal })),
  });
