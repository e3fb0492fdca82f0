import type { components } from '@canvass/client';
import { useQuery } from '@tanstack/react-query';
import { get } from '../api';

type Delivery = components['schemas']['WebhookDeliveryDetail'];

/** Returns whether nothing more happens to a delivery by itself. */
export const isFinal = (status: string): boolean => !['pending', 'failed'].includes(status);

/** One delivery with its attempts and its message. It is followed until nothing more happens to it. */
export const useDelivery = (id: string) =>
  useQuery<Delivery>({
    queryKey: ['delivery', id],
    refetchInterval: ({ state }) => (state.data !== undefined && isFinal(state.data.status) ? false : 2_000),
    queryFn: ({ signal }) => get('/api/webhooks/deliveries/{id}', { path: { id } }, signal),
  });

/** A message with its deliveries. @param messageId empty while it is not known */
export const useMessage = (messageId: string) =>
  useQuery({
    queryKey: ['message', messageId],
    enabled: messageId !== '',
    queryFn: ({ signal }) => get('/api/webhooks/messages/{messageId}', { path: { messageId } }, signal),
  });
