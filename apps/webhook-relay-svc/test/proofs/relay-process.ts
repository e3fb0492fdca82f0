/**
 * A relay as a process of its own: takes its configuration as the first message, answers with its URL, ends
 * with the channel.
 */
import { silentLogger, startService } from '@canvass/service-kit';
import type { RelaySettings } from '../../src/config';
import { service } from '../../src/service';

process.once('message', (config: RelaySettings) => {
  void (async () => {
    const relay = await startService({
      service,
      config,
      logger: silentLogger,
    });
    await relay.ready;
    process.send?.(relay.url);
    process.once('disconnect', () => void relay.stop('proof over').then(() => process.exit(0)));
  })();
});
