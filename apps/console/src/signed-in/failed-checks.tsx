import { useQuery } from '@tanstack/react-query';
import type { ServiceCheck } from '../api';
import { useTexts } from '../i18n';
import { get } from './api';
import { useFormats } from './formats';
import { may, useMe } from './me';

/** What reads the health of all copies of a service, by the name of its check in the gateway. */
const readers = {
  'submissions-svc': ['getHealthOfSubmissions', '/api/operations/health/submissions'],
  'datalists-svc': ['getHealthOfDataLists', '/api/operations/health/data-lists'],
  'identity-svc': ['getHealthOfIdentity', '/api/operations/health/identity'],
  'webhook-relay-svc': ['getHealthOfWebhookRelay', '/api/operations/health/webhooks'],
} as const;

const isService = (name: string): name is keyof typeof readers => Object.hasOwn(readers, name);

/**
 * The failed checks of a service, each since when it fails. Their copies and descriptions are those that the
 * service knows, if it can be asked, and the user may.
 */
export function FailedChecks({ of: { name: service, data } }: { of: ServiceCheck }) {
  const texts = useTexts();
  const { moment } = useFormats();
  const me = useMe();
  const [operation, path] = isService(service) ? readers[service] : [null, null];
  const health = useQuery({
    queryKey: ['service-health', service],
    enabled: operation !== null && may(me, operation),
    refetchInterval: 10_000,
    queryFn: ({ signal }) => get(path!, {}, signal),
  });
  const ofCopies = (health.data?.copies ?? []).flatMap(({ copy, checks }) =>
    checks.filter(({ status }) => status !== 'Healthy').map((check) => ({ ...check, copy })),
  );
  const seen = (data.failing ?? []).map(({ name, since = data.since ?? '' }) => ({
    name,
    since,
    copy: '',
    description: null,
  }));
  const failed = health.isSuccess && ofCopies.length > 0 ? ofCopies : seen;
  if (failed.length === 0) return null;
  return (
    <ul>
      {failed.map(({ copy, name, description, since }) => (
        <li key={`${copy} ${name}`}>
          <strong>{name}</strong> {description} {texts.since(moment(since))}
          {copy !== '' && `, ${texts.onCopy(copy)}`}
        </li>
      ))}
    </ul>
  );
}
