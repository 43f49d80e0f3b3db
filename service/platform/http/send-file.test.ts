import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { defineRoute } from '@partner-portal/contract/define-route.ts';
import { createBareServer, listenLocally } from '@partner-portal/tests/harness/bare-server.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ByteRange, FileAnswer } from './answer.ts';
import { bindRoute } from './bind-route.ts';
import { sendStoredFile } from './send-file.ts';

const CONTENT = Buffer.from('0123456789'.repeat(10));
const CHUNK = 64 * 1024;
const LARGE_CHUNKS = 512;
let app: FastifyInstance;
let port: number;
let reads: (ByteRange | undefined)[] = [];
/** Chunks of the large file that were read, and when its reading ended. */
let taken = 0;
let ended = Promise.withResolvers<void>();

const small = (change: Partial<FileAnswer> = {}): FileAnswer => ({
  kind: 'file',
  filename: 'report 1.txt',
  contentType: 'text/plain',
  sizeBytes: CONTENT.length,
  etag: 'abc',
  disposition: 'attachment',
  headers: { 'cache-control': 'private' },
  async *read(range) {
    reads.push(range);
    yield range ? CONTENT.subarray(range.start, range.end + 1) : CONTENT;
  },
  ...change,
});
const large = (): FileAnswer =>
  small({
    sizeBytes: LARGE_CHUNKS * CHUNK,
    async *read() {
      try {
        for (taken = 0; taken < LARGE_CHUNKS; taken += 1) yield Buffer.alloc(CHUNK);
      } finally {
        ended.resolve();
      }
    },
  });

before(async () => {
  const bare = await createBareServer();
  ({ app } = bare);
  const bytes = z.instanceof(Uint8Array);
  const base = {
    method: 'GET',
    tag: 'health',
    summary: 'test',
    limit: 'none',
    errors: [],
    access: { kind: 'public' },
    format: 'file',
  } as const;
  const bind = (path: string, make: () => FileAnswer): void =>
    bindRoute(app, bare.deps, path, defineRoute({ ...base, path, reply: { 200: bytes, 206: bytes } }), make);
  bind('/small', small);
  bind('/empty', () => small({ sizeBytes: 0 }));
  bind('/named', () => small({ filename: 'Größe "1".pdf', disposition: 'inline' }));
  bind('/large', large);
  app.get('/stalled', (request, reply) => sendStoredFile(large(), request, reply, 50));
  port = await listenLocally(app);
});
after(() => app.close());
beforeEach(() => {
  reads = [];
  taken = 0;
  ended = Promise.withResolvers();
});

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => app.inject({ method, url, headers });

describe('a file', () => {
  it('is sent whole, with its length, name and tag, and not compressed', async () => {
    const response = await get('/small', { 'accept-encoding': 'gzip, br' });
    assert.equal(response.statusCode, 200);
    assert.equal(response.body, CONTENT.toString());
    const { headers } = response;
    assert.deepEqual(
      [headers['content-length'], headers['content-type'], headers.etag, headers['accept-ranges'], headers['content-encoding']],
      ['100', 'text/plain', '"abc"', 'bytes', undefined],
    );
    assert.deepEqual([headers['content-disposition'], headers['cache-control']], ['attachment; filename="report 1.txt"', 'private']);
    assert.equal((await get('/empty')).headers['content-length'], '0');
  });

  it('has its name in ASCII and as it is', async () => {
    const { headers } = await get('/named');
    assert.equal(headers['content-disposition'], `inline; filename="Gr__e _1_.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.pdf`);
  });

  it('is sent in the range that was asked for', async () => {
    for (const [asked, start, end] of [
      ['bytes=0-9', 0, 9],
      ['bytes=90-', 90, 99],
      ['bytes=-3', 97, 99],
      // More than it has: all of it.
      ['bytes=-100', 0, 99],
      ['bytes=-1000', 0, 99],
      ['BYTES= 3-3 ', 3, 3],
      ['bytes=95-1000', 95, 99],
    ] as const) {
      const response = await get('/small', { range: asked });
      assert.equal(response.statusCode, 206);
      assert.equal(response.body, CONTENT.subarray(start, end + 1).toString());
      assert.deepEqual(
        [response.headers['content-range'], response.headers['content-length']],
        [`bytes ${start}-${end}/100`, String(end - start + 1)],
      );
      assert.deepEqual(reads.pop(), { start, end });
    }
  });

  it('is sent whole for a range that is malformed, of another unit, or several', async () => {
    for (const range of [
      'bytes=a-b',
      'lines=0-3',
      'nonsense',
      'bytes=5-2',
      'bytes=500-2',
      'bytes=-',
      'bytes=0-1,5-6',
      'bytes=0-1,500-',
      'bytes=0-1,',
    ]) {
      const response = await get('/small', { range });
      assert.deepEqual([response.statusCode, response.body.length], [200, 100], range);
    }
  });

  it('refuses a range outside of it and says how long it is', async () => {
    for (const [path, size] of [
      ['/small', 100],
      ['/empty', 0],
    ] as const) {
      for (const range of ['bytes=100-', 'bytes=-0', 'bytes=100-200']) {
        const response = await get(path, { range });
        assert.equal(response.statusCode, 416, range);
        assert.equal(response.headers['content-range'], `bytes */${size}`);
        assert.equal(response.json().code, 'range_not_satisfiable');
      }
    }
  });

  it('is sent in part only to who has a part of the same bytes', async () => {
    const range = 'bytes=0-9';
    assert.equal((await get('/small', { range, 'if-range': '"abc"' })).statusCode, 206);
    for (const ifRange of ['"other"', 'W/"abc"', 'Mon, 23 Nov 2026 08:00:00 GMT'])
      assert.equal((await get('/small', { range, 'if-range': ifRange })).statusCode, 200, ifRange);
  });

  it('is not sent again to who has it', async () => {
    for (const known of ['"abc"', 'W/"abc"', '"x", "abc"', '*']) {
      const response = await get('/small', { 'if-none-match': known });
      assert.deepEqual([response.statusCode, response.body, response.headers.etag], [304, '', '"abc"'], known);
    }
    assert.deepEqual(reads, []);
    assert.equal((await get('/small', { 'if-none-match': '"other"' })).statusCode, 200);
  });

  it('is described to HEAD and not read', async () => {
    const response = await get('/small', {}, 'HEAD');
    assert.deepEqual([response.statusCode, response.headers['content-length'], response.body], [200, '100', '']);
    assert.deepEqual(reads, []);
  });
});

describe('a slow reader', () => {
  const open = async (path: string) => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  };

  it('who leaves ends the reading', async () => {
    const socket = await open('/large');
    socket.destroy();
    await ended.promise;
    assert.ok(taken < LARGE_CHUNKS, `${taken} chunks were read`);
  });

  it('who takes nothing is sent what the connection buffers, not the file, and is disconnected', async () => {
    const socket = await open('/stalled');
    await ended.promise;
    assert.ok(taken < LARGE_CHUNKS / 2, `${taken} chunks were read`);
    socket.destroy();
  });

  it('who takes all gets all', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/large`);
    assert.equal((await response.arrayBuffer()).byteLength, LARGE_CHUNKS * CHUNK);
    assert.equal(taken, LARGE_CHUNKS);
  });
});
