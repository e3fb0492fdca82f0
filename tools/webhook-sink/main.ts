import { createSink } from './sink';

/** The receiver of webhooks of the profile `demo` of docker-compose.yml: `node dist/tools/webhook-sink.js`. */
const port = 8080;
const limits = { requests: 100, bytes: 16 * 1024 * 1024 };

const server = createSink(limits, console.log).listen(port, () => console.log(`Listening on port ${port}.`));
process.once('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
