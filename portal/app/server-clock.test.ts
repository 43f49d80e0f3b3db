import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventIdSince, noteServerTime } from './server-clock.ts';

it('a stream continues ten seconds before what was read, by the clock of the service, and not what was read long ago', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1_790_000_000_400 });
  assert.equal(eventIdSince(Date.now()), undefined, 'before the service has responded');
  const hour = 3_600_000;
  noteServerTime(new Response(null, { headers: { date: new Date(Date.now() + hour).toUTCString() } }));
  const readAt = Date.now() - 5_000;
  const since = Number(eventIdSince(readAt)) - hour;
  assert.equal(since - readAt, -10_400, 'the Date header has no parts of a second');
  assert.match(eventIdSince(readAt + 0.5) ?? '', /^\d+$/, 'a time with parts of a millisecond too');
  noteServerTime(new Response());
  assert.notEqual(eventIdSince(readAt), undefined, 'a response without a Date changes nothing');
  assert.equal(eventIdSince(Date.now() - 31_000), undefined);
});
