import { Problem } from '@canvass/errors';
import type { Responder } from '../health';
import type { Metrics } from './metrics';

/** `GET /metrics` in the Prometheus text format, for the internal listener only. */
export const metricsResponder =
  (metrics: Metrics): Responder =>
  async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
    const text = await metrics.registry.metrics();
    response.setHeader('Content-Type', metrics.registry.contentType);
    response.setHeader('Cache-Control', 'no-store');
    response.end(text);
  };
