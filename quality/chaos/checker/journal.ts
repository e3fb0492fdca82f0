import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import path from 'node:path';
import type { Change, ReceivedHook, Resend, SeenEvent } from '../records';

/** One kind of record: kept in memory for the comparison and appended to a file for whoever wants to look. */
class Ledger<T> {
  readonly entries: T[] = [];
  private readonly file: WriteStream;

  constructor(file: string) {
    this.file = createWriteStream(file, { flags: 'a' });
  }

  add(entry: T): void {
    this.entries.push(entry);
    this.file.write(`${JSON.stringify(entry)}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.file.end(resolve));
  }
}

/** The checker's own record of a run. */
export class Journal {
  readonly changes: Ledger<Change>;
  readonly hooks: Ledger<ReceivedHook>;
  readonly events: Ledger<SeenEvent>;
  readonly resends: Ledger<Resend>;

  constructor(dir: string) {
    mkdirSync(dir, { recursive: true });
    this.changes = new Ledger(path.join(dir, 'changes.jsonl'));
    this.hooks = new Ledger(path.join(dir, 'hooks.jsonl'));
    this.events = new Ledger(path.join(dir, 'events.jsonl'));
    this.resends = new Ledger(path.join(dir, 'resends.jsonl'));
  }

  async close(): Promise<void> {
    await Promise.all([this.changes, this.hooks, this.events, this.resends].map((ledger) => ledger.close()));
  }
}
