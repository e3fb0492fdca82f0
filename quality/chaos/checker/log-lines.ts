import { createReadStream, readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Lines in the logs of the services, by `pathsInLogs`. */
export type LogCounts = Record<string, number>;

/** Counts the lines of all logs in a folder that match each pattern. */
export async function countLogLines(folder: string, patterns: Record<string, RegExp>): Promise<LogCounts> {
  const counts: LogCounts = Object.fromEntries(Object.keys(patterns).map((name) => [name, 0]));
  for (const file of readdirSync(folder).filter((name) => /-svc(-\d)?\.log$/.test(name))) {
    for await (const line of createInterface({ input: createReadStream(path.join(folder, file)) })) {
      // Most lines are requests; none of the patterns matches them.
      if (line.includes('"message":"request"')) continue;
      for (const [name, pattern] of Object.entries(patterns)) if (pattern.test(line)) counts[name]! += 1;
    }
  }
  return counts;
}
