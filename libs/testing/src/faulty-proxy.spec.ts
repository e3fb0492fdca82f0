import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually';
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

  it.each(['silent-out', 'silent-in'] as const)('is silent in one direction (%s)', async (fault) => {
    const heard: string[] = [];
    echo.on('connection', (socket: Socket) => socket.on('data', (data) => heard.push(String(data))));
    const socket = await client();
    socket.write('a');
    await said(socket);
    proxy.become(fault);
    const later = said(socket);
    socket.write('b');
    if (fault === 'silent-in') await eventually(() => expect(heard).toEqual(['a', 'b']));
    else await sleep(100);
    expect(heard).toEqual(fault === 'silent-in' ? ['a', 'b'] : ['a']);
    expect(await Promise.race([later, sleep(100)])).toBeUndefined();
    proxy.become('none');
    expect(await later).toBe('b');
    socket.destroy();
  });

  it('reports a close to the other side only when the silence ends', async () => {
    const ended = new Promise<void>((resolve) =>
      echo.on('connection', (socket: Socket) => socket.once('close', () => resolve())),
    );
    const socket = await client();
    socket.write('a');
    await said(socket);
    proxy.become('silent-out');
    const gone = closed(socket);
    socket.destroy();
    await gone;
    expect(await Promise.race([ended.then(() => 'ended'), sleep(100, 'open')])).toBe('open');
    proxy.become('none');
    await ended;
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
