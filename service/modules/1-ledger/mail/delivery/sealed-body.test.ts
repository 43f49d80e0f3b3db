import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { createDataKeys, destroyDataKey } from '#modules/1-ledger/data-keys/index.ts';
import { createRunner, type JobRunner } from '#platform/jobs/runner.ts';
import { BOTH_RING, OLD_RING } from '@partner-portal/tests/harness/key-rings.ts';
import { sealAsBefore } from '@partner-portal/tests/harness/old-seal.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { mailerTo, startSmtp, type TestSmtp } from '@partner-portal/tests/harness/smtp.ts';
import { addPartner } from '@partner-portal/tests/harness/world.ts';
import { resealMail } from '../index.ts';
import { openBody } from './seal-body.ts';
import { findMail } from '../log/store-views.ts';
import { claimDue } from '../store.ts';

/** Bodies under the data key of their partner, in a queue with a real mail server behind it. */

let smtp: TestSmtp;
let service: TestService;
let runner: JobRunner;
let partnerId: string;
let count = 0;

before(async () => {
  smtp = await startSmtp({});
  service = await startTestService({ mailer: mailerTo(smtp), modules: (platform) => [platform.mail] });
  const { jobs, crons } = service.mail;
  runner = createRunner({ address: service.database.configFor('portal_queue'), jobs, crons, log: service.log });
});
after(async () => {
  await runner.stop(0);
  await service.close();
  await smtp.stop();
});
beforeEach(async () => {
  await service.db.asSystem('seed', (tx) => tx.deleteFrom('mail').execute());
  await runner.drain();
  smtp.received.length = 0;
  partnerId = await newPartner();
});

const newPartner = () =>
  service.db.asSystem('seed', (tx) => {
    count += 1;
    return addPartner(tx, { name: `Agency ${count}`, slug: `sealed-${count}`, planId: service.world.planId });
  });
const queue = (to: string, of = partnerId) =>
  service.db.asSystem('seed', (tx) =>
    service.mail.queueMail(tx, { partnerId: of, to, kind: 'mfa_enabled', data: { at: new Date('2026-11-21T20:30:00Z') } }),
  );
const rows = () => service.db.asSystem('seed', (tx) => tx.selectFrom('mail').selectAll().orderBy('id').execute());
const openWith = (ring: KeyRing, id: string) =>
  service.db.asSystem('mail', async (tx) => {
    const row = await findMail(tx, id);
    assert.ok(row?.sealed && row.keyId !== null);
    return openBody(createDataKeys(ring), row, { sealed: row.sealed, keyId: row.keyId });
  });

describe('the body of a mail', () => {
  it('is under the data key of its partner, and opens only in its own row', async () => {
    const neighbour = await newPartner();
    await queue('one@example.com');
    await queue('two@example.com');
    await queue('away@example.com', neighbour);
    const [one, two, away] = await rows();
    assert.ok(one?.bodySealed && two && away);
    assert.deepEqual([one.bodyKeyId === two.bodyKeyId, one.bodyKeyId === away.bodyKeyId], [true, false]);
    assert.match((await openWith(OLD_RING, one.id)).subject, /Two-step/i);
    const put = (id: string, set: { bodySealed: Buffer; bodyKeyId?: string | null }) =>
      service.db.asSystem('seed', (tx) => tx.updateTable('mail').set(set).where('id', '=', id).execute());
    await put(two.id, { bodySealed: one.bodySealed });
    await assert.rejects(openWith(OLD_RING, two.id), /not_authentic/);
    await put(away.id, { bodySealed: one.bodySealed, bodyKeyId: one.bodyKeyId });
    await assert.rejects(openWith(OLD_RING, away.id), /other_data_key/);
  });

  it('costs a statement more only when it is the partner’s first', async () => {
    const first = await service.countStatements(() => queue('first@example.com'));
    const second = await service.countStatements(() => queue('second@example.com'));
    // BEGIN, scope, branding with the data key, the mail, its job, COMMIT.
    assert.deepEqual([first, second], [7, 6]);
    const claim = () =>
      service.db.asSystem('mail', (tx) => claimDue(tx, { now: new Date(Date.now() + 1000), until: new Date(), limit: 8, after: null }));
    assert.equal(await service.countStatements(claim), 4, 'BEGIN, scope, the claim with data keys, COMMIT');
  });
});

describe('a mail whose data key was destroyed', () => {
  it('ends at its next attempt without another; the neighbour’s is sent, and no further one is queued', async () => {
    const neighbour = await newPartner();
    await queue('gone@example.com');
    await queue('there@example.com', neighbour);
    await service.db.asSystem('sweep', (tx) => destroyDataKey(tx, partnerId));
    await queue('later@example.com');
    await runner.drain();
    assert.deepEqual(
      (await rows()).map((row) => [row.toAddress, row.status, row.lastError, row.dueAt]),
      [
        ['gone@example.com', 'failed', 'unreadable', null],
        ['there@example.com', 'sent', null, null],
      ],
    );
    assert.equal(smtp.received.length, 1);
  });
});

describe('bodies of earlier versions', () => {
  const AMOUNT = 7;
  /** Mail as a version without data keys left it: sealed by the master key `old`. */
  async function queueAsBefore(): Promise<string[]> {
    for (let n = 0; n < AMOUNT; n += 1) await queue(`a${n}@example.com`);
    const stored = await rows();
    await service.db.asSystem('seed', async (tx) => {
      for (const { id } of stored) {
        const body = { fromName: 'A', replyTo: null, subject: `Subject of ${id}`, text: 'Text', html: '<p>Text</p>', links: [] };
        const { sealed, keyId } = sealAsBefore(OLD_RING, { use: 'mail', partnerId, place: id }, JSON.stringify(body));
        await tx.updateTable('mail').set({ bodySealed: sealed, bodyKeyId: keyId }).where('id', '=', id).execute();
      }
      await tx.deleteFrom('partnerDataKey').where('partnerId', '=', partnerId).execute();
    });
    return stored.map(({ id }) => id);
  }
  const subjects = (ring: KeyRing, ids: string[]) => Promise.all(ids.map(async (id) => (await openWith(ring, id)).subject));

  it('open, and are sealed again in batches: stopped between two, by two processes, each once', async () => {
    const ids = await queueAsBefore();
    const { db } = service;
    const expected = ids.map((id) => `Subject of ${id}`);
    assert.deepEqual(await subjects(OLD_RING, ids), expected);
    const stopping = new AbortController();
    const dataKeys = createDataKeys(BOTH_RING);
    const first = await resealMail({ db, dataKeys }, { batch: 3, signal: stopping.signal, onProgress: () => stopping.abort() });
    assert.deepEqual(first, { rewrapped: 3, failed: [] });
    assert.deepEqual(await subjects(BOTH_RING, ids), expected, 'half done, everything opens');
    const both = await Promise.all([1, 2].map(() => resealMail({ db, dataKeys: createDataKeys(BOTH_RING) }, { batch: 2 })));
    assert.equal(
      both.reduce((sum, one) => sum + one.rewrapped, 0),
      AMOUNT - 3,
    );
    assert.deepEqual(await subjects([BOTH_RING[0]], ids), expected, 'the old master key is not needed any more');
    assert.deepEqual(await resealMail({ db, dataKeys }), { rewrapped: 0, failed: [] });
  });

  it('that cannot be opened are reported and left unchanged', async () => {
    const [lost] = await queueAsBefore();
    assert.ok(lost);
    await service.db.asSystem('seed', (tx) => tx.updateTable('mail').set({ bodyKeyId: 'gone' }).where('id', '=', lost).execute());
    const result = await resealMail({ db: service.db, dataKeys: createDataKeys(BOTH_RING) });
    assert.deepEqual(result, { rewrapped: AMOUNT - 1, failed: [lost] });
  });

  it('open no more once the data key of their partner is destroyed, and are left to the purge', async () => {
    const [one] = await queueAsBefore();
    assert.ok(one);
    await service.db.asSystem('sweep', (tx) => destroyDataKey(tx, partnerId));
    await assert.rejects(openWith(OLD_RING, one), /data_key_destroyed/);
    assert.deepEqual(await resealMail({ db: service.db, dataKeys: createDataKeys(BOTH_RING) }), { rewrapped: 0, failed: [] });
  });
});
