import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { FaultyProxy } from './faulty-proxy';

describe('FaultyProxy', () => {
  let echo: Server;
  let proxy: FaultyProxy;
  let port: number;

  beforeEach(async () => {
    echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = new FaultyProxy(() => [(echo.address() as AddressInfo).port]);
    port = await proxy.listen();
  });

  afterEach(async () => {
    await proxy.close();
    echo.close();
  });

  async function client(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Unlike `events.once` it ignores an error event before `close`. */
  const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

  const said = async (socket: Socket) => String((await once(socket, 'data'))[0]);

  it('forwards data, also with a delay', async () => {
    const socket = await client();
    socket.write('a');
    expect(await said(socket)).toBe('a');
    proxy.become('delay');
    socket.write('b');
    expect(await said(socket)).toBe('b');
    socket.destroy();
  });

  it('holds data back during a stall and delivers all of it afterwards', async () => {
    const socket = await client();
    socket.write('a');
    await said(socket);
    proxy.become('stall');
    let heard = false;
    socket.once('data', () => (heard = true));
    socket.write('b');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard).toBe(false);
    const later = said(socket);
    proxy.become('none');
    expect(await later).toBe('b');
    socket.destroy();
  });

  it('closes open connections and rejects new ones after a cut', async () => {
    const socket = await client();
    const cut = closed(socket);
    proxy.become('cut');
    await expect(cut).resolves.toBeUndefined();
    const late = connect(port, '127.0.0.1').on('error', () => undefined);
    await expect(closed(late)).resolves.toBeUndefined();
  });
});
