import type { RequestHandler } from 'express';
import type { Metrics } from './metrics';

/** `GET /metrics` in the Prometheus text format, for the internal listener only. */
export const metricsRoute =
  (metrics: Metrics): RequestHandler =>
  async (request, response, next) => {
    if (request.path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    const text = await metrics.registry.metrics();
    response.setHeader('Content-Type', metrics.registry.contentType);
    response.setHeader('Cache-Control', 'no-store');
    response.end(text);
  };
