import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStack } from './stack';

it('finds that the port of the gateway is taken before it builds or starts anything', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'canvass-stack-'));
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const prepare = jest.fn();
  try {
    await expect(startStack({ dir, gatewayPort: port, prepare })).rejects.toThrow(
      `Another process listens on port ${port}: end it, or choose another --port.`,
    );
    expect(prepare).not.toHaveBeenCalled();
  } finally {
    other.close();
    rmSync(dir, { recursive: true });
  }
});
