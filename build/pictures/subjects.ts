import { clientOf, eventually, login, type Client } from '@canvass/testing';
import type { StackFile } from '@canvass/stack';

/** Ids of what the pictures show. */
export interface Subjects {
  formId: string;
  submissionId: string;
  submitterId: string;
  failedDeliveryId: string;
  slowDeliveryId: string;
  failingEndpointId: string;
  disabledEndpointId: string;
  recoveryId: string;
  citiesId: string;
  countriesId: string;
  userId: string;
  accountId: string;
}

interface Record {
  id: string;
  name?: string;
  url?: string;
  submitterId?: string | null;
  isComplete?: boolean;
}

/** Finds the subjects in the demonstration tenant once its webhooks were tried, and makes a recovery. */
export async function findSubjects({ gatewayUrl, demo }: StackFile): Promise<Subjects> {
  const admin = clientOf(gatewayUrl, await login(gatewayUrl, demo.adminEmail, demo.adminPassword));
  const list = async (path: string) => (await admin.get<{ items: Record[] }>(path)).items;
  const forms = await list('/api/forms?limit=100');
  const form = forms.find(({ name }) => name === 'How was your order?')!;
  const submissions = await list(`/api/forms/${form.id}/submissions?limit=200`);
  const submission = submissions.find((own) => own.submitterId && own.isComplete)!;
  const endpoints = await list('/api/webhooks/endpoints?limit=100');
  const endpointOf = (receiver: string) => endpoints.find(({ url }) => url!.endsWith(`/${receiver}`))!.id;
  const deliveryOf = (receiver: string, filter: string) =>
    eventually(
      async () => {
        const query = `endpointId=${endpointOf(receiver)}&${filter}&limit=1`;
        const [found] = await list(`/api/webhooks/deliveries?${query}`);
        return found?.id ?? Promise.reject(new Error(`none for ${query}`));
      },
      { timeoutMs: 120_000, message: `a delivery to ${receiver}` },
    );
  const slowDeliveryId = await deliveryOf('warehouse', 'status=delivered');
  const failedDeliveryId = await deliveryOf('newsletter', 'minAttempts=1');
  const lists = await list('/api/data-lists?pageSize=100');
  return {
    formId: form.id,
    submissionId: submission.id,
    submitterId: submission.submitterId!,
    failedDeliveryId,
    slowDeliveryId,
    failingEndpointId: endpointOf('newsletter'),
    disabledEndpointId: endpointOf('staff-portal'),
    recoveryId: await recover(admin, endpointOf('crm')),
    citiesId: lists.find(({ name }) => name === 'Cities')!.id,
    countriesId: lists.find(({ name }) => name === 'Countries')!.id,
    userId: (await list('/api/users?limit=100')).find(({ name }) => name === 'Grace Hopper')!.id,
    accountId: (await list('/api/service-accounts?limit=100'))[0]!.id,
  };
}

/** Sends what an endpoint has got once more. */
async function recover(admin: Client, endpointId: string): Promise<string> {
  const body = {
    mode: 'all',
    filter: { endpointId },
    reason: 'The CRM restored a backup of yesterday.',
  };
  return (await admin.post<{ id: string }>('/api/webhooks/recoveries', body)).id;
}
