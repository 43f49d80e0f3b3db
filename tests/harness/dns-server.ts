import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

/** A name server for TXT records and addresses, on a UDP port of this machine. */
export type DnsServer = {
  /** `address:port`. */
  address: string;
  /** Sets the texts of a name; an empty list removes it. `null`: the server keeps silent about it. */
  set(name: string, texts: readonly string[] | null): void;
  /** Sets the one address of a name, IPv4 or IPv6. */
  setAddress(name: string, address: string): void;
  close(): Promise<void>;
};

type Records = { texts: Map<string, readonly string[] | null>; addresses: Map<string, string> };

const HEADER_BYTES = 12;
const [A, TXT, AAAA] = [1, 16, 28];

export async function startDnsServer(): Promise<DnsServer> {
  const records: Records = { texts: new Map(), addresses: new Map() };
  const socket: Socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const answer = answerOf(query, records);
    if (answer) socket.send(answer, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, texts) => void records.texts.set(name.toLowerCase(), texts),
    setAddress: (name, address) => void records.addresses.set(name.toLowerCase(), address),
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** The response to one question (RFC 1035, 4.1); null to keep silent. */
function answerOf(query: Buffer, { texts: allTexts, addresses }: Records): Buffer | null {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(HEADER_BYTES, at + 5);
  const name = labels.join('.').toLowerCase();
  const [texts, address] = [allTexts.get(name), addresses.get(name)];
  if (texts === null) return null;
  const type = question.readUInt16BE(question.length - 4);
  const answers =
    type === TXT
      ? (texts ?? []).map(textBytes)
      : address !== undefined && type === (isIPv6(address) ? AAAA : A)
        ? [addressBytes(address)]
        : [];
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  // A response with recursion; NXDOMAIN for a name without records.
  header.writeUInt16BE(texts?.length || address !== undefined ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, question, ...answers.map((data) => recordOf(type, data))]);
}

/** A text in parts of at most 255 bytes. */
function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(parts);
}

/** An IPv4 address in full, or an IPv6 one with one `::`. */
function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** A record about the name of the question. */
function recordOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc0_0c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
