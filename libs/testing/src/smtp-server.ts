import { createServer, type AddressInfo } from 'node:net';

export interface SmtpServer {
  url: string;
  /** What it has accepted, in order; `text` begins with the headers. */
  mails: { to: string; text: string }[];
  /** While it is away, it refuses every recipient for now. */
  setAway(isAway: boolean): void;
  close(): Promise<void>;
}

/** A mail server that accepts every mail and keeps it. */
export async function smtpServer(): Promise<SmtpServer> {
  const mails: SmtpServer['mails'] = [];
  let isAway = false;
  const server = createServer((socket) => {
    let to = '';
    let data: string | null = null;
    let rest = '';
    const answer = (line: string) => socket.write(`${line}\r\n`);
    const take = (line: string) => {
      if (data !== null) {
        if (line !== '.') return void (data += `${line}\n`);
        mails.push({ to, text: readable(data) });
        data = null;
        return answer('250 kept');
      }
      const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
      if (recipient !== undefined && isAway) return answer('451 later');
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
    setAway: (value) => void (isAway = value),
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

/** Undoes quoted-printable (RFC 2045, section 6.7), in which mails are sent. */
const readable = (data: string) =>
  data
    .replaceAll('=\n', '')
    .replace(/(=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());
