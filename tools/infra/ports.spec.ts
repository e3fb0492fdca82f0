import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isFree, PortBook } from './ports';

describe('the port book', () => {
  let dir: string;
  let file: string;

  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'ports-'));
    file = path.join(dir, 'ports.json');
  });

  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('remembers ports from run to run', async () => {
    const port = await new PortBook(file).take('gateway');
    expect(await new PortBook(file).take('gateway')).toBe(port);
    expect(new PortBook(file).remembered('gateway')).toBe(port);
  });

  it('gives every name a port of its own, also when asked at once', async () => {
    const book = new PortBook(file);
    const ports = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => book.take(name)));
    expect(new Set(ports).size).toBe(6);
  });

  it('finds another port when a foreign server listens on the remembered one', async () => {
    const foreign = createServer();
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    const taken = (foreign.address() as AddressInfo).port;
    writeFileSync(file, JSON.stringify({ gateway: taken }));
    try {
      expect(await isFree(taken)).toBe(false);
      const port = await new PortBook(file).take('gateway');
      expect(port).not.toBe(taken);
      expect(new PortBook(file).remembered('gateway')).toBe(port);
    } finally {
      foreign.close();
    }
  });

  it('keeps the port of a server that is only down for a moment, while another process has it', async () => {
    const book = new PortBook(file);
    const port = await book.take('postgres');
    const brief = createServer();
    await new Promise<void>((resolve) => brief.listen(port, '127.0.0.1', resolve));
    setTimeout(() => brief.close(), 100);
    expect(await book.take('postgres', 5_000)).toBe(port);
  });

  it('forgets a port on request and survives a broken file', async () => {
    writeFileSync(file, '{"gateway": "x", "relay":');
    const book = new PortBook(file);
    expect(book.remembered('gateway')).toBeUndefined();
    await book.take('gateway');
    book.forget('gateway');
    expect(new PortBook(file).remembered('gateway')).toBeUndefined();
  });

  it('stays out of the range that outgoing connections use', async () => {
    const port = await new PortBook(file).take('gateway');
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
  });
});
