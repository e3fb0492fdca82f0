import { createServer, type AddressInfo } from 'node:net';

/** A mail server that accepts every mail and keeps it. */
export async function smtpServer() {
  const mails: { to: string; text: string }[] = [];
  const server = createServer((socket) => {
    let to = '';
    let data: string | null = null;
    let rest = '';
    const answer = (line: string) => socket.write(`${line}\r\n`);
    const take = (line: string) => {
      if (data !== null) {
        if (line !== '.') return void (data += `${line}\n`);
        mails.push({ to, text: data.replaceAll('=\n', '').replaceAll('=3D', '=') });
        data = null;
        return answer('250 kept');
      }
      const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
      if (recipient !== undefined) to = recipient;
      if (/^DATA/i.test(line)) {
        data = '';
        return answer('354 go ahead');
      }
      return answer(/^QUIT/i.test(line) ? '221 bye' : '250 ok');
    };
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop()!;
      lines.forEach(take);
    });
    answer('220 test');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
