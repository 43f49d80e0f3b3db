import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** A name server for TXT records, on a UDP port of this machine. */
export type DnsServer = {
  /** `address:port`. */
  address: string;
  /** Sets the texts of a name; an empty list removes it. `null`: the server keeps silent about it. */
  set(name: string, texts: readonly string[] | null): void;
  close(): Promise<void>;
};

const HEADER_BYTES = 12;
const TXT = 16;

export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, readonly string[] | null>();
  const socket: Socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const answer = answerOf(query, records);
    if (answer) socket.send(answer, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, texts) => void records.set(name.toLowerCase(), texts),
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** The response to one question (RFC 1035, 4.1); null to keep silent. */
function answerOf(query: Buffer, records: ReadonlyMap<string, readonly string[] | null>): Buffer | null {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(HEADER_BYTES, at + 5);
  const texts = records.get(labels.join('.').toLowerCase());
  if (texts === null) return null;
  const answers = question.readUInt16BE(question.length - 4) === TXT ? (texts ?? []) : [];
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  // A response with recursion; NXDOMAIN for a name without records.
  header.writeUInt16BE(texts?.length ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, question, ...answers.map(txtRecord)]);
}

/** A record about the name of the question, its text in parts of at most 255 bytes. */
function txtRecord(text: string): Buffer {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc0_0c, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
