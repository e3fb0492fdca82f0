// Loaded into a process before its own code (--require). The first SIGUSR2 begins a CPU profile, the second one, or the
// end of the process, writes it to the file named by BENCH_PROFILE. Plain JavaScript: the services run without tsx.
const { isMainThread } = require('node:worker_threads');
const { Session } = require('node:inspector');
const fs = require('node:fs');

const file = process.env.BENCH_PROFILE;
delete process.env.NODE_OPTIONS; // not for children of this process

if (isMainThread && file) {
  let session;
  const write = () => {
    session.post('Profiler.stop', (error, result) => {
      if (error) return;
      fs.writeFileSync(`${file}.new`, JSON.stringify(result.profile));
      fs.renameSync(`${file}.new`, file);
    });
    session.disconnect();
    session = undefined;
  };
  process.on('SIGUSR2', () => {
    if (session) return write();
    session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.start');
  });
  process.on('exit', () => session && write());
}
