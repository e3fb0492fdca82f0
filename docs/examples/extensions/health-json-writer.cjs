const words = /** @type {const} */ ({ Healthy: 'pass', Degraded: 'warn', Unhealthy: 'fail' });

/**
 * Answers the health endpoints in the form `application/health+json`, which some monitors read.
 *
 * @type {import('@canvass/extensions').HealthResponseWriter}
 */
exports.healthResponseWriter = ({ status, checks }, { service }) => ({
  contentType: 'application/health+json',
  body: JSON.stringify({
    status: words[status],
    serviceId: service,
    checks: Object.fromEntries(
      checks.map(({ name, status, description }) => [
        name,
        [{ status: words[status], ...(description === null ? {} : { output: description }) }],
      ]),
    ),
  }),
});
