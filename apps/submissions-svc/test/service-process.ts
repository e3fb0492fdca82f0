/**
 * submissions-svc as a process of its own: takes its configuration as the first message, answers with its
 * URL, ends with the channel.
 */
import { silentLogger, startService } from '@canvass/service-kit';
import type { SubmissionsConfig } from '../src/config';
import { service } from '../src/service';

process.once('message', (config: SubmissionsConfig) => {
  void (async () => {
    const running = await startService({
      service,
      config,
      outside: { resolver: () => Promise.reject(new Error('no such host')) },
      logger: silentLogger,
    });
    await running.ready;
    process.send?.(running.url);
    process.once('disconnect', () => void running.stop('the spec ended').then(() => process.exit(0)));
  })();
});
