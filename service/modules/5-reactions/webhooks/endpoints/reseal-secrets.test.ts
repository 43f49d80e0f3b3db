import { readSigned } from '@partner-portal/tests/harness/stripe.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  addEndpoint,
  openStoredSecret,
  type DeliveryService,
  type Receiver,
  startDeliveryService,
  startReceiver,
  type TestEndpoint,
} from '@partner-portal/tests/harness/deliveries.ts';
import { BOTH_RING, OLD_RING } from '@partner-portal/tests/harness/vault.ts';
import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { createDataKeys } from '#modules/1-ledger/data-keys/index.ts';
import { sealAsBefore } from '@partner-portal/tests/harness/old-seal.ts';
import { resealSecrets } from './reseal-secrets.ts';

let service: DeliveryService;
let receiver: Receiver;
let endpoints: TestEndpoint[];
const COUNT = 7;

before(async () => {
  service = await startDeliveryService();
  receiver = await startReceiver();
  const urls = Array.from({ length: COUNT }, (_, n) => `${receiver.origin}/${n}`);
  endpoints = await service.db.asSystem('seed', async (tx) => {
    const made: TestEndpoint[] = [];
    for (const url of urls) made.push(await addEndpoint(tx, { url, partnerId: service.world.partnerId }));
    return made;
  });
});
after(async () => {
  await service.close();
  await receiver.close();
});

/** Puts the endpoints into the state of a version without data keys: their secrets sealed by the master key `old`. */
async function sealAllAsBefore(): Promise<void> {
  for (const { id, partnerId, secret } of endpoints) {
    const { sealed, keyId } = sealAsBefore(OLD_RING, { use: 'webhook-secret', partnerId, place: id }, secret);
    await service.query('update webhook_endpoint set secret_sealed = $2, secret_key_id = $3 where id = $1 and deleted_at is null', [
      id,
      sealed,
      keyId,
    ]);
  }
  await service.query('delete from partner_data_key');
}
const underMaster = async () =>
  Number((await service.query<{ n: string }>('select count(*) as n from webhook_endpoint where length(secret_key_id) <= 32'))[0]?.n);
const opened = (ring: KeyRing) => Promise.all(endpoints.map((one) => openStoredSecret(service.db, ring, one)));
const expected = () => endpoints.map((one) => one.secret);

describe('signing secrets of earlier versions', () => {
  beforeEach(sealAllAsBefore);

  it('sign deliveries before and after they are sealed again', async () => {
    const { db, dataKeys } = service;
    await service.publish();
    await service.drain();
    assert.equal(await underMaster(), COUNT);
    await resealSecrets({ db, dataKeys });
    await service.publish();
    await service.drain();
    assert.equal(await underMaster(), 0);
    assert.equal(receiver.received.length, 2 * COUNT);
    for (const { path, body, headers } of receiver.received)
      assert.ok(readSigned(body, headers['x-service-signature'], endpoints[Number(path.slice(1))]?.secret ?? ''));
  });

  it('are sealed again in batches: stopped between two, by two processes, each once', async () => {
    const { db } = service;
    const dataKeys = createDataKeys(BOTH_RING);
    const stopping = new AbortController();
    const first = await resealSecrets({ db, dataKeys }, { batch: 3, signal: stopping.signal, onProgress: () => stopping.abort() });
    assert.deepEqual([first, await underMaster()], [{ rewrapped: 3, failed: [] }, COUNT - 3]);
    assert.deepEqual(await opened(BOTH_RING), expected(), 'half done, everything opens');
    const both = await Promise.all([1, 2].map(() => resealSecrets({ db, dataKeys: createDataKeys(BOTH_RING) }, { batch: 2 })));
    assert.equal(
      both.reduce((sum, one) => sum + one.rewrapped, 0),
      COUNT - 3,
    );
    assert.deepEqual(await opened([BOTH_RING[0]]), expected(), 'the old key may leave the ring');
    assert.deepEqual(await resealSecrets({ db, dataKeys }), { rewrapped: 0, failed: [] });
  });

  it('that do not open are reported and left unchanged, the others are sealed again', async () => {
    const [lost] = endpoints;
    assert.ok(lost);
    await service.query("update webhook_endpoint set secret_key_id = 'gone' where id = $1", [lost.id]);
    const result = await resealSecrets({ db: service.db, dataKeys: service.dataKeys });
    assert.deepEqual([result, await underMaster()], [{ rewrapped: COUNT - 1, failed: [lost.id] }, 1]);
  });

  it('of removed endpoints are skipped', async () => {
    const [, removed] = endpoints;
    assert.ok(removed);
    await service.query('update webhook_endpoint set deleted_at = now(), secret_sealed = null, secret_key_id = null where id = $1', [
      removed.id,
    ]);
    assert.deepEqual(await resealSecrets({ db: service.db, dataKeys: service.dataKeys }), { rewrapped: COUNT - 1, failed: [] });
  });
});
