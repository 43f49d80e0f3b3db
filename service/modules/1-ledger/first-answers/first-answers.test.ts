import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';
import { AppError, refuse } from '#platform/refuse.ts';
import { firstAnswers, once } from './index.ts';

const HOUR_MS = 3_600_000;
let service: TestService;
let sweep: () => Promise<void>;
let now: Date;
before(async () => {
  service = await startTestService();
  const [cron] = firstAnswers({ db: service.db, clock: { now: () => now } }).crons;
  assert.ok(cron);
  sweep = () => cron.run({ log: service.log, signal: new AbortController().signal, attempt: 1 });
});
after(() => service.close());

let worked: number;
beforeEach(async () => {
  now = new Date();
  worked = 0;
  await service.database.query('delete from first_answer');
});
const work = async () => ({ work: (worked += 1) });
const call = (as: Person, { key = 'k', names = ['route'], body = {} as unknown, run = work } = {}) => {
  const actor = service.actor(as);
  const context = { actor, now, header: () => key };
  return service.db.asTenant(actor, (tx) => once(tx, context, { names, partnerId: actor.partnerId, body }, run));
};
const countSeen = (as: Person) =>
  service.db.asTenant(service.actor(as), async (tx) => (await tx.selectFrom('firstAnswer').select('keyHash').execute()).length);

describe('a repeated call', () => {
  it('gets the answer of the first, also at once, and is refused with another body', async () => {
    assert.deepEqual(
      await Promise.all(Array.from({ length: 4 }, () => call('owner'))),
      Array.from({ length: 4 }, () => ({ work: 1 })),
    );
    await assert.rejects(call('owner', { body: 1 }), (error) => error instanceof AppError && error.code === 'idempotency_key_reused');
    assert.deepEqual(await call('owner'), { work: 1 });
  });

  it('is another call by another user, with other names, and without a key', async () => {
    const calls = [
      call('owner'),
      call('moderator'),
      call('owner', { names: ['route', 'id'] }),
      call('owner', { key: '' }),
      call('owner', { key: '' }),
    ];
    assert.deepEqual(new Set((await Promise.all(calls)).map((one) => one.work)), new Set([1, 2, 3, 4, 5]));
  });

  it('is the first again after one that was refused, and after 24 hours', async () => {
    await assert.rejects(call('owner', { run: async () => refuse('invalid_state') }), AppError);
    assert.deepEqual(await call('owner', { body: 'another' }), { work: 1 });
    now = new Date(now.getTime() + LIMITS.idempotencyHours * HOUR_MS + 1_000);
    assert.deepEqual(await call('owner'), { work: 2 });
    assert.deepEqual(await call('owner'), { work: 2 });
  });

  it('gets the answer that version 0.2.0 kept, which knew neither names nor bodies', async () => {
    const { userId, partnerId } = service.actor('owner');
    const hash = createHash('sha256').update(`${userId}\nk`).digest();
    await service.database.query(`insert into first_answer (partner_id, key_hash, answer, created_at) values ($1, $2, '["id"]', $3)`, [
      partnerId,
      hash,
      now,
    ]);
    assert.deepEqual(await call('owner', { names: [] }), ['id']);
  });
});

describe('a kept answer', () => {
  it('of a client’s user is seen by that client and its agency, one of the agency by the agency alone', async () => {
    await Promise.all([call('clientUser'), call('owner')]);
    const people: Person[] = ['clientUser', 'owner', 'otherClientUser', 'rivalOwner'];
    assert.deepEqual(await Promise.all(people.map(countSeen)), [1, 2, 0, 0]);
  });

  it('is deleted after 24 hours, and not before', async () => {
    await call('owner', { key: 'old' });
    now = new Date(now.getTime() + LIMITS.idempotencyHours * HOUR_MS - 1_000);
    await call('owner', { key: 'new' });
    await sweep();
    assert.equal(await countSeen('owner'), 2);
    now = new Date(now.getTime() + 2_000);
    await sweep();
    assert.equal(await countSeen('owner'), 1);
    assert.deepEqual(await call('owner', { key: 'new' }), { work: 2 });
  });
});
