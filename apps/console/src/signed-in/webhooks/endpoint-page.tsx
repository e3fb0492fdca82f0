import { ForeignText, Panel } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { usePreferences, useTexts } from '../../i18n';
import { idFact } from '../copy-button';
import { Answer } from '../answer';
import { api, get } from '../api';
import { Outcome } from '../delivery-state';
import { useDeliveryTexts } from '../delivery-texts';
import { EndpointState, pauseOf } from '../endpoint-state';
import { Facts } from '../facts';
import lists from '../list.module.css';
import { may, useMe } from '../me';
import { Moment } from '../moment';
import { Page } from '../page';
import { RecordName } from '../record-name';
import { useWebhookTexts } from '../webhook-texts';
import { EndpointActions } from './endpoint-actions';
import { EndpointLimit } from './endpoint-limit';
import { EndpointPlots } from './endpoint-plots';
import { EndpointSecret } from './endpoint-secret';
import { useEndpointTexts } from './endpoint-texts';
import type { Endpoint } from '../use-endpoints';
import { useBacklog } from './use-stats';

/** One endpoint: how it does, what waits for it, and what can be done. */
export default function EndpointPage() {
  const texts = useTexts();
  const own = useEndpointTexts();
  const webhook = useWebhookTexts();
  const me = useMe();
  const { endpointId: id = '' } = useParams();
  const endpoint = useQuery({
    queryKey: ['endpoint', id],
    refetchInterval: 10_000,
    async queryFn({ signal }) {
      const path = '/api/webhooks/endpoints/{id}';
      const { data, response } = await api.GET(path, { params: { path: { id } }, signal });
      return { ...data!, etag: response.headers.get('etag') ?? '' };
    },
  });
  return (
    <Page
      title={webhook.endpoint}
      lead={<Link href="/endpoints">{texts.endpoints}</Link>}
      tools={<Link href={`/deliveries?endpointId=${id}`}>{own.deliveriesOf}</Link>}
    >
      <Answer query={endpoint} operation="getWebhookEndpoint">
        {(data) => (
          <div className={lists.columns}>
            <div className={lists.side}>
              <EndpointPlots endpointId={id} />
            </div>
            <div className={lists.side}>
              <Panel title={webhook.status}>
                {may(me, 'enableWebhookEndpoint') && <EndpointActions endpoint={data} />}
                <State endpoint={data} />
              </Panel>
              {may(me, 'limitWebhookEndpoint') && <EndpointLimit key={data.modifiedAt} endpoint={data} />}
              {may(me, 'getWebhookEndpointSecret') && <EndpointSecret endpointId={id} />}
            </div>
          </div>
        )}
      </Answer>
    </Page>
  );
}

function State({ endpoint }: { endpoint: Endpoint }) {
  const own = useEndpointTexts();
  const webhook = useWebhookTexts();
  const { events } = useDeliveryTexts();
  const { language } = usePreferences();
  const { data } = useBacklog();
  const backlog = data?.endpoints.find(({ endpointId }) => endpointId === endpoint.id);
  const number = (value = 0) => value.toLocaleString(language);
  const { disabledAt, disabledReason, scope, scopeId } = endpoint;
  const pause = pauseOf(endpoint);
  return (
    <Facts
      facts={[
        [webhook.endpoint, <ForeignText>{endpoint.url}</ForeignText>],
        [webhook.status, <EndpointState endpoint={endpoint} />],
        disabledAt !== null && [
          own.disabledAt,
          <>
            <Moment at={disabledAt} /> {own.reasons[String(disabledReason)] ?? disabledReason}
          </>,
        ],
        [own.lastAnswer, <LastAnswer endpointId={endpoint.id} />],
        [own.failingSince, <Moment at={endpoint.failingSince} />],
        pause !== null && [own.pausedUntil, <Moment at={pause} isExact />],
        [own.waiting, number(backlog?.waiting)],
        [own.due, number(backlog?.due)],
        [own.inFlight, number(backlog?.inFlight)],
        [own.oldestDue, <Moment at={backlog?.oldestDueAt} />],
        [own.events, endpoint.events.map((name) => events[name] ?? name).join(', ')],
        endpoint.filteredOut > 0 && [own.filteredOut, number(endpoint.filteredOut)],
        [
          own.scope,
          <Link href={settingsPath(scope, scopeId)}>
            {scope === 'form' ? <RecordName kind="form" id={scopeId} /> : own.scopes[scope]}
          </Link>,
        ],
        [own.createdAt, <Moment at={endpoint.createdAt} />],
        idFact(endpoint.id),
      ]}
    />
  );
}

/** How the newest attempt ended, and when, with its delivery. */
function LastAnswer({ endpointId }: { endpointId: string }) {
  const { data } = useQuery({
    queryKey: ['last answer', endpointId],
    refetchInterval: 10_000,
    queryFn: ({ signal }) =>
      get('/api/webhooks/deliveries', { query: { endpointId, minAttempts: 1, limit: 1 } }, signal),
  });
  const [newest] = data?.items ?? [];
  if (!newest) return '–';
  return (
    <>
      <Link href={`/deliveries/${newest.id}`}>
        <Outcome outcome={newest.lastOutcome} statusCode={newest.lastStatusCode} />
      </Link>{' '}
      <Moment at={newest.lastAttemptAt} />
    </>
  );
}

const settingsPath = (scope: Endpoint['scope'], scopeId: string): string => {
  if (scope === 'alerts') return '/webhook-alerts';
  return scope === 'tenant' ? '/webhook-settings' : `/forms/${scopeId}/settings/webhooks`;
};
