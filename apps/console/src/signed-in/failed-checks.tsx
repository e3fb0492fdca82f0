import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../i18n';
import { api, dataOf } from './api';
import { useFormats } from './formats';
import { may, useMe } from './me';

/** Reads the health of all copies of a service, by the name of its check in the gateway. */
const readers = {
  'submissions-svc': {
    operation: 'getHealthOfSubmissions',
    read: (signal: AbortSignal) => dataOf(api.GET('/api/operations/health/submissions', { signal })),
  },
  'datalists-svc': {
    operation: 'getHealthOfDataLists',
    read: (signal: AbortSignal) => dataOf(api.GET('/api/operations/health/data-lists', { signal })),
  },
  'identity-svc': {
    operation: 'getHealthOfIdentity',
    read: (signal: AbortSignal) => dataOf(api.GET('/api/operations/health/identity', { signal })),
  },
  'webhook-relay-svc': {
    operation: 'getHealthOfWebhookRelay',
    read: (signal: AbortSignal) => dataOf(api.GET('/api/operations/health/webhooks', { signal })),
  },
};

const isService = (name: string): name is keyof typeof readers => Object.hasOwn(readers, name);

/**
 * The failed checks of a service, each with its copy and since when it fails. A service that does not answer
 * has none, nor has one whose health the user may not read.
 *
 * @param service name of the check of the gateway that failed
 */
export function FailedChecks({ service }: { service: string }) {
  const texts = useTexts();
  const { moment } = useFormats();
  const me = useMe();
  const reader = isService(service) ? readers[service] : null;
  const health = useQuery({
    queryKey: ['service-health', service],
    enabled: reader !== null && may(me, reader.operation),
    refetchInterval: 10_000,
    queryFn: ({ signal }) => reader!.read(signal),
  });
  const failed = (health.data?.copies ?? []).flatMap(({ copy, checks }) =>
    checks.filter(({ status }) => status !== 'Healthy').map((check) => ({ ...check, copy })),
  );
  if (failed.length === 0) return null;
  return (
    <ul>
      {failed.map(({ copy, name, description, since }) => (
        <li key={`${copy} ${name}`}>
          <strong>{name}</strong> {description} {texts.since(moment(since))}, {texts.onCopy(copy)}
        </li>
      ))}
    </ul>
  );
}
