const url = process.env.DIRECTORY_URL ?? 'http://directory:8080/status';

/**
 * Whether the staff directory answers. Degraded at worst: Canvass works without it.
 *
 * @type {import('@canvass/extensions').HealthCheck}
 */
export const healthCheck = {
  name: 'staff-directory',
  tags: [], // part of /health alone; with 'ready' it would join /ready, too
  failureStatus: 'Degraded',

  async check(signal) {
    const answer = await fetch(url, { signal });
    await answer.body?.cancel();
    const data = { httpStatus: answer.status };
    return answer.ok
      ? { status: 'Healthy', data }
      : { status: 'Degraded', description: 'The staff directory does not answer with success.', data };
  },
};
