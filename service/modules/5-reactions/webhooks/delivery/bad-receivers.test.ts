import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  type DeliveryService,
  type Receiver,
  startDeliveryService,
  startRawReceiver,
  startReceiver,
} from '@partner-portal/tests/harness/deliveries.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { previewOf } from './attempt.ts';

// For any behaviour of a receiver, its owner finds a clear record and other deliveries are not delayed.

const MB = 1024 * 1024;
/** Bytes the endless receiver got rid of. */
let poured = 0;

const onRequest = (socket: Socket, then: () => void): void => void socket.once('data', then);
const drip = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), 50);
  socket.on('close', () => clearInterval(timer));
};
const pour = (socket: Socket): void => {
  const block = Buffer.alloc(MB / 4, 'x');
  const more = (): void => {
    while (poured < 100 * MB && !socket.destroyed) {
      poured += block.length;
      if (!socket.write(block)) return void socket.once('drain', more);
    }
  };
  socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${100 * MB}\r\n\r\n`);
  more();
};

type Expected = { status?: number; error: string | null; preview?: RegExp | null; ends?: string };
const RAW: Record<string, { talk: (socket: Socket) => void } & Expected> = {
  'speaks another protocol': { talk: (socket) => void socket.write('SSH-2.0-OpenSSH_9.9\r\n'), error: 'broken_answer' },
  'responds with bytes that are not text': {
    talk: (socket) => onRequest(socket, () => socket.end(Buffer.alloc(500, 0xfe))),
    error: 'broken_answer',
  },
  'sends endless headers': {
    talk: (socket) => onRequest(socket, () => socket.write(`HTTP/1.1 200 OK\r\nX-Big: ${'x'.repeat(400_000)}\r\n\r\n`)),
    error: 'broken_answer',
  },
  'sends 200 KB of headers': {
    talk: (socket) =>
      onRequest(socket, () => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Big: ${'x'.repeat(200_000)}\r\n\r\n`)),
    status: 200,
    error: null,
    ends: 'delivered',
  },
  'sends a broken body after its status': {
    talk: (socket) => onRequest(socket, () => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n')),
    status: 200,
    error: 'broken_answer',
    ends: 'delivered',
  },
  'fails and hangs up in the middle of its response': {
    talk: (socket) => onRequest(socket, () => socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 500\r\n\r\nhalf')),
    status: 503,
    error: 'status',
    preview: /^half$/,
  },
  'wants to switch protocols': {
    talk: (socket) =>
      onRequest(socket, () => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')),
    error: 'broken_answer',
  },
  'hangs up without a word': { talk: (socket) => onRequest(socket, () => socket.end()), error: 'connection_failed' },
  'resets the connection': { talk: (socket) => onRequest(socket, () => socket.resetAndDestroy()), error: 'connection_failed' },
  'hangs up in the middle of its response': {
    talk: (socket) => onRequest(socket, () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhalf')),
    status: 200,
    error: 'connection_failed',
    preview: /^half$/,
    ends: 'delivered',
  },
  'never responds': { talk: () => undefined, error: 'timeout' },
  'drips its response forever': {
    talk: (socket) =>
      onRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        drip(socket, '1\r\nx\r\n');
      }),
    status: 200,
    error: 'timeout',
    preview: /^x+$/,
    ends: 'delivered',
  },
  'drips its headers for ever': {
    talk: (socket) =>
      onRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, 'X-More: x\r\n');
      }),
    error: 'timeout',
  },
  'sends unsolicited interim responses': {
    talk: (socket) => onRequest(socket, () => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n')),
    error: 'broken_answer',
  },
  'sends 100 MB': {
    talk: (socket) => onRequest(socket, () => pour(socket)),
    status: 200,
    error: null,
    preview: /^x{1024}$/,
    ends: 'delivered',
  },
  'responds with what a database cannot store': {
    talk: (socket) =>
      onRequest(socket, () =>
        socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nno\0te'), Buffer.from([0xff, 0xc3, 0x28])])),
      ),
    status: 200,
    error: null,
    preview: /^note\uFFFD\uFFFD\($/,
    ends: 'delivered',
  },
};
/** Found out without a receiver of our own. */
const ELSEWHERE: Record<string, { url: string } & Expected> = {
  'listens nowhere': { url: 'http://127.0.0.1:9/hook', error: 'connection_refused' },
  'has an unknown name': { url: 'https://unknown.test/hook', error: 'name_not_found' },
  'has a name that leads inside': { url: 'https://inside.test/hook', error: 'private_address', ends: 'failed' },
  'has a name with one address inside among others': { url: 'https://mixed.test/hook', error: 'private_address', ends: 'failed' },
};

let service: DeliveryService;
let good: Receiver;
const closers: (() => Promise<void>)[] = [];

before(async () => {
  service = await startDeliveryService({
    lookup: async (host) => {
      const found: Record<string, string[]> = { 'inside.test': ['10.1.2.3'], 'mixed.test': ['93.184.216.34', '169.254.169.254'] };
      const addresses = found[host];
      if (!addresses) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      return addresses.map((address) => ({ address, family: 4 }));
    },
  });
  good = await startReceiver();
});
after(async () => {
  await service.close();
  await good.close();
  for (const close of closers) await close();
});

describe('a receiver that', () => {
  const endpoints = new Map<string, string>();
  const cases: [string, Expected][] = [...Object.entries(RAW), ...Object.entries(ELSEWHERE)];

  before(async () => {
    const plain = await startReceiver();
    closers.push(() => plain.close());
    cases.push(['speaks no TLS', { error: 'tls_failed' }]);
    const urls = Object.entries(ELSEWHERE).map(([name, { url }]): [string, string] => [name, url]);
    urls.push(['speaks no TLS', plain.url.replace('http:', 'https:')]);
    for (const [name, { talk }] of Object.entries(RAW)) {
      const receiver = await startRawReceiver(talk);
      closers.push(() => receiver.close());
      urls.push([name, receiver.url]);
    }
    const calm = await service.addAgency();
    await service.addEndpoint({ url: good.url, partnerId: calm });
    for (const [name, url] of urls) {
      const partnerId = await service.addAgency();
      endpoints.set(name, (await service.addEndpoint({ url, partnerId })).id);
      await service.publish(partnerId);
    }
    for (let n = 0; n < 20; n += 1) await service.publish(calm);
    // All at once, so that the silent ones have their claim before the calm ones are through, and for ten seconds after it.
    while ((await service.events.runOnce()) > 0);
    service.hooks.start();
    const silent = [...endpoints].filter(([name]) => RAW[name]?.error === 'timeout').map(([, id]) => id);
    const underWay = 'select from delivery_queue where claimed_by is not null and endpoint_id = any($1)';
    const countInFlight = async () => (await service.query(underWay, [silent])).length;
    await good.arrived(20);
    assert.equal(await countInFlight(), silent.length, 'no other delivery waited for them');
    const open = 'select from delivery_attempt where duration_ms is null';
    await until('everybody has had an attempt', async () => (await service.query(open)).length === 0);
    await service.hooks.stop();
  });

  for (const name of [...Object.keys(RAW), ...Object.keys(ELSEWHERE), 'speaks no TLS'])
    it(`${name} has that on its record`, async () => {
      const expected = cases.find(([known]) => known === name)?.[1];
      const [delivery] = await service.deliveries('endpoint_id = $1', [endpoints.get(name)]);
      const first = delivery?.attempts[0];
      assert.ok(expected && delivery && first);
      assert.deepEqual([first.error, first.http_status], [expected.error, expected.status ?? null]);
      if (expected.preview) assert.match(first.response_preview ?? '', expected.preview);
      else assert.equal(first.response_preview, null);
      assert.equal(delivery.status, expected.ends ?? 'pending');
      if (expected.ends === 'failed') assert.deepEqual([delivery.reason, delivery.attempts.length], ['private_address', 1]);
    });

  it('sends without end is not read to its end', () => assert.ok(poured < 20 * MB, `${poured} bytes`));
});

describe('the preview of a response', () => {
  it('is at most 1 KiB of text, for any bytes', () => {
    assert.equal(previewOf(Buffer.alloc(0)), null);
    assert.equal(previewOf(Buffer.from('\0')), null);
    assert.equal(previewOf(Buffer.from('é'.repeat(600)))?.length, 512);
    assert.equal(previewOf(Buffer.from(`x${'é'.repeat(600)}`)), `x${'é'.repeat(511)}`);
    const garbage = previewOf(Buffer.alloc(2_000, 0xff)) ?? '';
    assert.ok(Buffer.byteLength(garbage) <= 1_024);
    const mixed = previewOf(Buffer.concat(Array.from({ length: 600 }, () => Buffer.from([0xff, 0x61])))) ?? '';
    assert.ok(Buffer.byteLength(mixed) <= 1_024 && mixed.includes('a'));
  });
});
