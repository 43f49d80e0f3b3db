import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Actor } from '../actor.ts';
import { heldNow } from '../held.ts';
import { AppError } from '../refuse.ts';
import './server.ts';
import { type EventSource, type ServerEvent, STREAMS_PER_USER_MAX, streamEvents } from './sse.ts';

let app: FastifyInstance;

afterEach(() => app.close());

/** Serves one stream; `prepare` is what its handler waits for first. Answers the port. */
async function serve(
  source: EventSource,
  prepare: () => Promise<unknown> = () => Promise.resolve(),
  closing = new AbortController().signal,
  assertValid: (() => Promise<void>) | null = null,
  more: { takePlace?: (end: () => void) => (() => void) | undefined; header?: string } = {},
): Promise<number> {
  app = Fastify();
  app.setErrorHandler((error, _request, reply) => reply.code(error instanceof AppError ? error.status : 500).send());
  app.get<{ Querystring: { user?: string } }>('/', async (request, reply) => {
    await prepare();
    const { user } = request.query;
    // The one member of a caller that a stream looks at.
    request.caller = user === undefined ? null : ({ userId: user } as Actor);
    if (more.header !== undefined) reply.header('x-more', more.header);
    const { takePlace } = more;
    const beats = assertValid ? { heartbeatMs: 5 } : {};
    await streamEvents(request, reply, source, { lifeMs: null, closing, assertValid, ...beats, ...(takePlace ? { takePlace } : {}) });
    return reply;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port; // listening on TCP
}

/** A reader that asks and then takes nothing from its socket any more. */
function askAndFreeze(port: number) {
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'));
  socket.once('data', () => socket.pause());
  socket.on('error', () => undefined);
  return socket;
}

describe('an event stream', () => {
  it('whose reader left while it was prepared is never opened, or stopped at once', async () => {
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const open = new Set<number>();
    let turns = 0;
    const port = await serve(
      {
        open: () => {
          const turn = turns++;
          open.add(turn);
          return () => void open.delete(turn);
        },
      },
      async () => {
        asked.resolve();
        await left.promise;
      },
    );
    const gone = new Promise<void>((resolve) => {
      app.server.once('request', (_request, response: ServerResponse) => response.once('close', () => resolve()));
    });
    const call = get({ port, host: '127.0.0.1' });
    call.on('error', () => undefined);
    await asked.promise;
    call.destroy();
    await gone;
    left.resolve();
    // The handler's remaining work takes some turns of the loop.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(open.size, 0);
  });

  it('whose reader takes nothing is cut off, connection and all', async () => {
    const opened = Promise.withResolvers<(event: ServerEvent) => void>();
    const stopped = Promise.withResolvers<void>();
    const port = await serve({
      open: (send) => {
        opened.resolve(send);
        return () => stopped.resolve();
      },
    });
    const connection = once(app.server, 'connection');
    const reader = askAndFreeze(port);
    const [socket] = (await connection) as [Socket];
    const closed = once(socket, 'close');
    const send = await opened.promise;
    for (let id = 0; id < 400; id += 1) send({ id: String(id), event: 'run', data: 'x'.repeat(64 * 1024) });
    await stopped.promise;
    await closed;
    reader.destroy();
  });

  it('ends with the server even when its reader takes nothing', async () => {
    const closing = new AbortController();
    const opened = Promise.withResolvers<(event: ServerEvent) => void>();
    const port = await serve(
      {
        open: (send) => {
          opened.resolve(send);
          return () => undefined;
        },
      },
      undefined,
      closing.signal,
    );
    const connection = once(app.server, 'connection');
    const reader = askAndFreeze(port);
    const [socket] = (await connection) as [Socket];
    const closed = once(socket, 'close');
    const send = await opened.promise;
    // Less than the limit of what waits, more than the sockets between take.
    while (socket.writableLength === 0) send({ id: '1', event: 'run', data: 'x'.repeat(64 * 1024) });
    closing.abort();
    await closed;
    reader.destroy();
  });

  it('ends once its session assertValid no more, and goes on while the database cannot say', async () => {
    const answers: (Error | undefined)[] = [undefined, new Error('the database is away'), undefined, new AppError('unauthenticated')];
    let asked = 0;
    const assertValid = async (): Promise<void> => {
      const problem = answers[asked++];
      if (problem) throw problem;
    };
    const stopped = Promise.withResolvers<void>();
    const port = await serve({ open: () => () => stopped.resolve() }, undefined, undefined, assertValid);
    const response = await fetch(`http://127.0.0.1:${port}/`);
    await response.text();
    await stopped.promise;
    assert.equal(asked, 4);
  });

  it('is one of a bounded number for each person, and one that ended makes room', async () => {
    const port = await serve({ open: () => () => undefined });
    const ask = async (user: string) => {
      const hangUp = new AbortController();
      const response = await fetch(`http://127.0.0.1:${port}/?user=${user}`, { signal: hangUp.signal });
      return { status: response.status, leave: () => hangUp.abort() };
    };
    const streams = await Promise.all(Array.from({ length: STREAMS_PER_USER_MAX }, () => ask('ann')));
    assert.ok(streams.every(({ status }) => status === 200));
    assert.equal((await ask('ann')).status, 429);
    const other = await ask('bob');
    assert.equal(other.status, 200);
    streams[0]?.leave();
    let again = await ask('ann');
    while (again.status === 429) again = await ask('ann');
    assert.equal(again.status, 200);
    for (const { leave } of [...streams, other, again]) leave();
  });

  const ENDINGS: {
    how: string;
    source?: EventSource;
    assertValid?: () => Promise<void>;
    header?: string;
    doLose?: true;
    doClose?: true;
    doLeave?: true;
  }[] = [
    { how: 'its reader leaves', doLeave: true },
    { how: 'the server stops', doClose: true },
    { how: 'its source ends it', source: { open: (_send, _last, end) => (end?.(), () => undefined) } },
    { how: 'its source fails to open', source: { open: () => Promise.reject(new Error('the database is away')) } },
    {
      how: 'its source fails to stop',
      source: {
        open: (_send, _last, end) => {
          end?.();
          return () => {
            throw new Error('no');
          };
        },
      },
    },
    { how: 'its session ends', assertValid: () => Promise.reject(new AppError('unauthenticated')) },
    { how: 'its head cannot be written', header: 'two\nlines' },
    { how: 'its place goes to another', doLose: true },
  ];
  for (const { how, source = { open: () => () => undefined }, assertValid = null, header, doLose, doClose, doLeave } of ENDINGS) {
    it(`gives back what was taken for it when ${how}`, async () => {
      const taken = Promise.withResolvers<() => void>();
      const givenBack = Promise.withResolvers<void>();
      const closing = new AbortController();
      const takePlace = (end: () => void): (() => void) => {
        taken.resolve(end);
        return () => givenBack.resolve();
      };
      const port = await serve(source, undefined, closing.signal, assertValid, { takePlace, ...(header === undefined ? {} : { header }) });
      const hangUp = new AbortController();
      const ask = fetch(`http://127.0.0.1:${port}/?user=eve`, { signal: hangUp.signal })
        .then((response) => response.text())
        .catch(() => undefined);
      // A head that cannot be written comes before any place is taken.
      if (header === undefined) {
        const lose = await taken.promise;
        if (doLose) lose();
        if (doClose) closing.abort();
        if (doLeave) hangUp.abort();
        await givenBack.promise;
      }
      await ask;
      // The person's streams are all released: the full number is accepted again.
      const statuses = await Promise.all(
        Array.from({ length: STREAMS_PER_USER_MAX }, async () => {
          const leave = new AbortController();
          const status = await fetch(`http://127.0.0.1:${port}/?user=eve`, { signal: leave.signal }).then(
            (response) => response.status,
            () => 0,
          );
          return { status, leave };
        }),
      );
      assert.equal(statuses.filter(({ status }) => status === 429).length, 0);
      for (const { leave } of statuses) leave.abort();
    });
  }

  it('that finds no place any more ends before its source is opened', async () => {
    let opened = 0;
    const port = await serve({ open: () => ((opened += 1), () => undefined) }, undefined, undefined, null, { takePlace: () => undefined });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    assert.equal(response.status, 200);
    await response.text();
    assert.equal(opened, 0);
  });
});

describe('open event streams', () => {
  it('are counted until they end: by their reader, their source, their session, a fault, or the server', async () => {
    const endings = ['leaves', 'source', 'session', 'fault', 'closing'] as const;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...endings), { minLength: 1, maxLength: 12 }), async (streams) => {
        const closing = new AbortController();
        const ends: (() => void)[] = [];
        let revoked = false;
        let opened = 0;
        const isOpen = Promise.withResolvers<void>();
        const source: EventSource = {
          async open(_send, _last, end) {
            const turn = opened;
            opened += 1;
            if (end) ends.push(end);
            if (opened === streams.length) isOpen.resolve();
            await isOpen.promise;
            if (streams[turn] === 'fault') throw new Error('on purpose');
            return () => undefined;
          },
        };
        const port = await serve(source, undefined, closing.signal, async () => {
          if (revoked) throw new AppError('unauthenticated');
        });
        const readers = streams.map((_how, at) => read(port, `u${at % 3}`));
        await isOpen.promise;
        for (const [at, how] of streams.entries()) {
          if (how === 'leaves') readers[at]?.request.destroy();
          if (how === 'source') ends[at]?.();
        }
        if (streams.includes('session')) revoked = true;
        closing.abort();
        await Promise.all(readers.map(({ closed }) => closed));
        await app.close();
        assert.equal(heldNow('streams'), 0);
        assert.deepEqual(
          await fill('u0'),
          Array.from({ length: STREAMS_PER_USER_MAX }, () => 200),
          'they make room for others',
        );
      }),
      { numRuns: 15 },
    );

    /** Opens as many streams as a user may have; returns their statuses. */
    async function fill(user: string): Promise<number[]> {
      const port = await serve({ open: () => () => undefined });
      const readers = Array.from({ length: STREAMS_PER_USER_MAX }, () => read(port, user));
      const statuses = await Promise.all(readers.map(({ status }) => status));
      for (const { request } of readers) request.destroy();
      while (heldNow('streams') > 0) await new Promise((resolve) => setImmediate(resolve));
      await app.close();
      return statuses;
    }
  });
});

/** A reader that takes what it is sent until it ends. */
function read(port: number, user: string) {
  const request = get({ port, host: '127.0.0.1', path: `/?user=${user}` }).on('error', () => undefined);
  const closed = new Promise<void>((resolve) => request.once('close', resolve));
  const status = new Promise<number>((resolve) => {
    request.once('response', (response) => {
      response.on('error', () => undefined).resume();
      resolve(response.statusCode ?? 0);
    });
  });
  return { request, closed, status };
}
