import { requirePermission, type Authenticator } from '@canvass/auth';
import { validationProblem } from '@canvass/errors';
import { endpoint, idSchema, streamed, type Endpoint } from '@canvass/service-kit';
import Joi from 'joi';
import type { LiveFeed } from './live-feed';
import { topicPermissions, topics, type Topic } from './topics';

export interface LiveRoutesDeps {
  feed: LiveFeed;
  authenticator: Authenticator;
}

/** Topics from repeated parameters or one value with commas. */
const topicList = Joi.any<Topic[]>()
  .custom((given: unknown, helpers) => {
    const names = (Array.isArray(given) ? given : [given]).flatMap((text) => String(text).split(','));
    const isKnown = names.every((name) => (topics as string[]).includes(name));
    return isKnown ? [...new Set(names)] : helpers.message({ custom: `must be of ${topics.join(', ')}` });
  })
  .description('only these topics, with commas between them; default: all that the caller may see')
  .meta({ jsonSchema: { type: 'array', items: { type: 'string', enum: topics }, maxItems: topics.length } });

const description = `Server-sent events (\`text/event-stream\`) about what changed in the tenant: ids and revisions, not the content.

- An event has the topic in \`event\`, its position in \`id\`, and in \`data\` \`{ "type", "id", "formId", "revision", "occurredAt" }\`: what happened, and to which entity. \`type\` is a type of the AsyncAPI document, or \`recovery.started\`, \`recovery.progressed\`, \`recovery.ended\`.
- The first event is \`ready\`. A client that reconnects sends the last \`id\` as \`Last-Event-ID\` and gets all events since. If they are not kept any more (an hour), the first event is \`reset\`: read again what is shown.
- An event may come twice. Events of one entity may come in another order: the larger revision is newer.
- Topics: ${topics.map((topic) => `\`${topic}\` (\`${topicPermissions[topic]}\`)`).join(', ')}. The permission is checked for each event, and a revoked or expired token ends the stream.
- A line comes every 15 seconds at least.`;

export function liveRoutes({ feed, authenticator }: LiveRoutesDeps): Endpoint[] {
  return [
    endpoint.read({
      method: 'get',
      path: '/api/events/stream',
      operationId: 'streamEvents',
      summary: 'Changes as they happen',
      description,
      access: 'authenticated',
      isForRestricted: true,
      query: Joi.object<{ topics?: Topic[] }>({ topics: topicList }),
      headers: { 'Last-Event-ID': 'the `id` of the last event that the client has' },
      answers: {
        200: {
          description: 'The stream. It ends when the token ends or the service stops.',
          content: { 'text/event-stream': 'One event after the other.' },
        },
      },
      problems: ['permission_denied', 'too_many_requests'],
      async handle({ principal, query, headers }) {
        for (const topic of query.topics ?? []) requirePermission(principal, topicPermissions[topic]);
        const wanted = new Set(query.topics ?? topics);
        const after = positionOf(headers['last-event-id']);
        const admit = () => authenticator.authenticate(headers.authorization);
        return streamed(
          'text/event-stream',
          (response) => feed.stream({ principal, topics: wanted, after, admit }, response),
          { headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' } },
        );
      },
    }),
  ];
}

/** @throws {Problem} `validation_failed` for a text that is no id */
function positionOf(header: string | string[] | undefined): string | null {
  if (header === undefined || header === '') return null;
  const { error, value } = idSchema.validate(header);
  if (error) throw validationProblem({ 'Last-Event-ID': ['must be the id of an event of the stream'] });
  return value;
}
