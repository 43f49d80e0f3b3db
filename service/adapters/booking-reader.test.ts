import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createSafeFetch, type SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { createBookingReader, type ReadBookings } from './booking-reader.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer;
let baseUrl: string;
let fetch: SafeFetch;
let read: ReadBookings;
const server = createServer((request, response) => answer(request, response));

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  baseUrl = `http://127.0.0.1:${port}`;
  fetch = createSafeFetch({ allowedHosts: [`127.0.0.1:${port}`] });
  read = createBookingReader({ fetch, baseUrl });
});
after(async () => {
  server.close();
  await fetch.close();
});

const WINDOW = { after: new Date('2026-05-04T10:00:00Z'), until: new Date('2026-05-06T10:00:00Z') };
const booking = (uid: string, start: string, rest: object = {}) => ({
  id: 1,
  uid,
  status: 'accepted',
  start,
  attendees: [{ name: 'Ada', email: 'ada@example.com', phoneNumber: '+13125550121', timeZone: 'UTC' }],
  ...rest,
});
const json =
  (body: unknown): Answer =>
  (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  };
const ask = () => read({ apiKey: 'cal_key' }, WINDOW);

describe('reading bookings', () => {
  it('asks in the public wire format, as the key’s owner', async () => {
    let seen: { url: string | undefined; headers: IncomingMessage['headers'] } | undefined;
    answer = (request, response) => {
      seen = { url: request.url, headers: request.headers };
      json({ status: 'success', data: [booking('a', '2026-05-05T10:00:00Z')], pagination: { hasNextPage: false } })(request, response);
    };
    assert.deepEqual(await ask(), {
      ok: true,
      isWhole: true,
      bookings: [
        {
          uid: 'a',
          start: new Date('2026-05-05T10:00:00Z'),
          attendees: [{ name: 'Ada', email: 'ada@example.com', phone: '+13125550121' }],
        },
      ],
    });
    assert.equal(seen?.url, '/v2/bookings?status=upcoming&afterStart=2026-05-04T10%3A00%3A00.000Z&sortStart=asc&take=100&skip=0');
    assert.deepEqual([seen?.headers.authorization, seen?.headers['cal-api-version']], ['Bearer cal_key', '2024-08-13']);
  });

  it('leaves out what was not accepted or lies beyond, and mail addresses that nobody reads', async () => {
    answer = json({
      data: [
        booking('ok', '2026-05-05T10:00:00Z', {
          attendees: [{ name: 'Bob', email: '13125550188@sms.cal.com' }],
          bookingFieldsResponses: { attendeePhoneNumber: '+13125550188' },
        }),
        booking('pending', '2026-05-05T11:00:00Z', { status: 'pending' }),
        booking('far', '2026-06-05T11:00:00Z'),
      ],
    });
    const got = await ask();
    assert.deepEqual(got.ok && got.bookings.map((one) => [one.uid, one.attendees]), [
      ['ok', [{ name: 'Bob', email: null, phone: '+13125550188' }]],
    ]);
  });

  it('turns pages until the window is read, and says so when there are too many', async () => {
    const asked: number[] = [];
    const pages =
      (count: number): Answer =>
      (request, response) => {
        const skip = Number(new URL(request.url ?? '', baseUrl).searchParams.get('skip'));
        asked.push(skip);
        const data = Array.from({ length: 100 }, (_, index) =>
          booking(`b${skip + index}`, skip / 100 < count - 1 ? '2026-05-05T10:00:00Z' : '2026-05-09T10:00:00Z'),
        );
        json({ data, pagination: { hasNextPage: true } })(request, response);
      };
    answer = pages(3);
    const whole = await ask();
    assert.deepEqual([whole.ok && whole.isWhole, whole.ok && whole.bookings.length, asked], [true, 200, [0, 100, 200]]);
    answer = pages(1_000);
    const cut = await ask();
    assert.deepEqual([cut.ok && cut.isWhole, cut.ok && cut.bookings.length], [false, 2_000]);
  });

  const problems: [what: string, answer: Answer, problem: string][] = [
    ['a refused key', (_q, response) => response.writeHead(401).end(), 'key_refused'],
    ['a key that may not list', (_q, response) => response.writeHead(403).end(), 'key_refused'],
    ['too many calls', (_q, response) => response.writeHead(429).end(), 'too_fast'],
    ['a fault over there', (_q, response) => response.writeHead(502).end('<html>'), 'provider_down'],
    ['a page for people', (_q, response) => response.end('<html>hello</html>'), 'answer_unreadable'],
    ['half a body', (_q, response) => response.end('{"data": [{"uid":'), 'answer_unreadable'],
    ['another shape', json({ data: { bookings: [] } }), 'answer_unreadable'],
    ['a line that breaks', (_q, response) => response.destroy(), 'provider_unreachable'],
  ];
  for (const [what, reply, problem] of problems) {
    it(`names ${what}`, async () => {
      answer = reply;
      const got = await ask();
      assert.equal(!got.ok && got.problem, problem);
      assert.ok(!got.ok && !got.message.includes('cal_key'));
    });
  }

  it('does not go to a private address', async () => {
    const strict = createSafeFetch({ allowedHosts: [] });
    const got = await createBookingReader({ fetch: strict, baseUrl })({ apiKey: 'cal_key' }, WINDOW);
    assert.equal(!got.ok && got.problem, 'provider_unreachable');
    await strict.close();
  });
});
