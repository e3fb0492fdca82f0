import {
  type Client,
  eventually,
  webhookSink,
  type ReceivedRequest,
  type WebhookSink,
} from '@canvass/testing';
import { Webhook } from 'standardwebhooks';

export interface WebhookMessage {
  Id: string;
  EventName: string;
  Action: string;
  Payload: Record<string, unknown>;
}

/** A receiver of webhooks that verifies the signature of each request. */
export interface Receiver {
  sink: WebhookSink;
  /**
   * Webhook settings (`webHookSettingsJson`) that send the given events to this receiver and to the `others`.
   */
  settings(events: string[], authentication?: object, others?: readonly Receiver[]): string;
  /** Fetches the signing secret of this endpoint, which exists once the settings are saved. */
  trust(admin: Client): Promise<void>;
  /** Waits for a verified message that `matches`, and returns it with its request. */
  message(
    matches: (message: WebhookMessage) => boolean,
  ): Promise<{ message: WebhookMessage; request: ReceivedRequest }>;
  /** All requests so far, each verified. */
  verified(): { message: WebhookMessage; request: ReceivedRequest }[];
}

export async function startReceiver(): Promise<Receiver> {
  const sink = await webhookSink();
  let webhook: Webhook | undefined;
  const verify = (request: ReceivedRequest) => {
    if (webhook === undefined) throw new Error('The receiver has no secret yet.');
    return {
      message: webhook.verify(request.body.toString('utf8'), request.headers) as WebhookMessage,
      request,
    };
  };
  return {
    sink,
    settings(events, authentication = { Type: 'None' }, others = []) {
      const event = {
        IsEnabled: true,
        WebHookEndpoints: [sink, ...others.map((other) => other.sink)].map(({ url }) => ({
          Url: `${url}/hook`,
          Authentication: authentication,
        })),
      };
      return JSON.stringify({ Events: Object.fromEntries(events.map((name) => [name, event])) });
    },
    async trust(admin) {
      const id = await eventually(async () => {
        const path = '/api/webhooks/endpoints?limit=200';
        const { items } = await admin.expect<{ items: { id: string; url: string }[] }>(200, 'GET', path);
        const found = items.find(({ url }) => url.startsWith(sink.url));
        if (found === undefined) throw new Error('the endpoint is not known yet');
        return found.id;
      });
      const path = `/api/webhooks/endpoints/${id}/secret`;
      webhook = new Webhook((await admin.expect<{ secret: string }>(200, 'GET', path)).secret);
    },
    message: (matches) =>
      eventually(
        () => {
          const found = sink.requests.map(verify).find(({ message }) => matches(message));
          if (found === undefined) throw new Error(`${sink.requests.length} requests, none of them matches`);
          return found;
        },
        { timeoutMs: 120_000 },
      ),
    verified: () => sink.requests.map(verify),
  };
}
