import assert from 'node:assert/strict';
import { pbkdf2 } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createNetworkLookup } from './network-lookup.ts';
import { OutboundError } from './outbound-error.ts';
import { createSafeFetch, type Lookup } from './safe-fetch.ts';

const A = 1;
const AAAA = 28;
const RECORDS: Record<string, { [type: number]: string[] }> = {
  'both.example': { [A]: ['93.184.216.34'], [AAAA]: ['2606:2800:220:1:248:1893:25c8:1946'] },
  'four.example': { [A]: ['93.184.216.34', '93.184.216.35'] },
  'six.example': { [AAAA]: ['2606:2800:220:1:248:1893:25c8:1946'] },
  'inside.example': { [A]: ['93.184.216.34'], [AAAA]: ['fd00::1'] },
};

let server: Socket;
let lookup: Lookup;
let silent = 0;

before(async () => {
  // A name server for the names above; it knows no others, and never answers for the silent ones.
  server = createSocket('udp4');
  server.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    if (name.startsWith('silent')) return void (silent += 1);
    server.send(answer(query.subarray(0, end), RECORDS[name]?.[type] ?? [], type, name in RECORDS), from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  lookup = createNetworkLookup({ allowedHosts: ['localhost:8080'], servers: [`127.0.0.1:${server.address().port}`] });
});
after(() => void server.close());

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answer(question: Buffer, addresses: string[], type: number, isKnown: boolean): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...addresses.map((address) => record(address, type))]);
}

function record(address: string, type: number): Buffer {
  const bytes = type === A ? Buffer.from(address.split('.').map(Number)) : Buffer.from(expand(address), 'hex');
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

function expand(address: string): string {
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const missing = address.includes('::') ? 8 - groups(left).length - groups(right).length : 0;
  return [...groups(left), ...Array.from({ length: missing }, () => '0'), ...groups(right)].map((group) => group.padStart(4, '0')).join('');
}

const addressesOf = async (host: string): Promise<string[]> => (await lookup(host)).map(({ address }) => address);

describe('a name that a customer wrote', () => {
  it('has all its addresses of both kinds', async () => {
    assert.deepEqual(await addressesOf('both.example'), ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946']);
    assert.deepEqual((await addressesOf('four.example')).toSorted(), ['93.184.216.34', '93.184.216.35']);
    assert.deepEqual(await addressesOf('six.example'), ['2606:2800:220:1:248:1893:25c8:1946']);
  });

  it('is refused when one of them is inside, and not found when there is none', async () => {
    const fetch = createSafeFetch({ allowedHosts: [], lookup });
    const reason = (url: string): Promise<unknown> =>
      fetch.check(url).catch((error: unknown) => error instanceof OutboundError && error.reason);
    assert.equal(await reason('https://inside.example/hook'), 'private_address');
    assert.equal(await reason('https://nobody.example/hook'), 'name_not_found');
    assert.equal(await reason('https://both.example/hook'), undefined);
    await fetch.close();
  });

  it('whose server never answers is given up, and meanwhile holds none of the threads that everything shares', async () => {
    const waiting = Array.from({ length: 16 }, (_, n) => lookup(`silent-${n}.example`));
    const ended = Promise.allSettled(waiting).then(() => 'the names');
    // Work of those threads, many times over; with the system's resolver it would come last.
    const work = Promise.all(Array.from({ length: 40 }, () => promisify(pbkdf2)('x', 'y', 1_000, 32, 'sha256'))).then(() => 'the work');
    assert.equal(await Promise.race([ended, work]), 'the work');
    await ended;
    for (const one of waiting) await assert.rejects(one, { code: 'ENOTFOUND' });
    assert.ok(silent >= 16);
  });

  it('that the operator named is asked of the system, which knows the hosts file', async () => {
    assert.ok((await addressesOf('localhost')).some((address) => address === '127.0.0.1' || address === '::1'));
  });
});
