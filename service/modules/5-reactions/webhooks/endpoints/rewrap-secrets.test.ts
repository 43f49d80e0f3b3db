import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  addEndpoint,
  type DeliveryService,
  type Receiver,
  startDeliveryService,
  startReceiver,
  type TestEndpoint,
} from '@partner-portal/tests/harness/deliveries.ts';
import { BOTH_RING, OLD_RING } from '@partner-portal/tests/harness/vault.ts';
import { rewrapSecrets } from './rewrap-secrets.ts';
import { createSecretSeal } from './secret-seal.ts';

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

const underOld = async () =>
  Number((await service.query<{ n: string }>("select count(*) as n from webhook_endpoint where secret_key_id = 'old'"))[0]?.n);
async function opened(seal: ReturnType<typeof createSecretSeal>): Promise<string[]> {
  const rows = await service.query<{ id: string; partner_id: string; sealed: Buffer }>(
    'select id, partner_id, secret_sealed as sealed from webhook_endpoint order by id',
  );
  return rows.map((row) => seal.open({ id: row.id, partnerId: row.partner_id }, row.sealed));
}
const expected = () => endpoints.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((one) => one.secret);

describe('rewrapping signing secrets', () => {
  it('stops between batches, continues where it stopped, and two at once rewrap each once; every secret stays the same', async () => {
    const seal = createSecretSeal(BOTH_RING);
    const stopping = new AbortController();
    const first = await rewrapSecrets({ db: service.db, seal }, { batch: 3, signal: stopping.signal, onProgress: () => stopping.abort() });
    assert.deepEqual([first, await underOld()], [{ rewrapped: 3, failed: [] }, COUNT - 3]);
    assert.deepEqual(await opened(seal), expected(), 'half done, everything opens');
    const both = await Promise.all([1, 2].map(() => rewrapSecrets({ db: service.db, seal }, { batch: 2 })));
    assert.equal(
      both.reduce((sum, one) => sum + one.rewrapped, 0),
      COUNT - 3,
    );
    assert.deepEqual(await opened(createSecretSeal([BOTH_RING[0]])), expected(), 'the old key may leave the ring');
    assert.deepEqual(await rewrapSecrets({ db: service.db, seal }), { rewrapped: 0, failed: [] });
  });

  it('reports an endpoint whose key is missing, leaves it unchanged and continues', async () => {
    const [lost] = endpoints;
    assert.ok(lost);
    const stranger = createSecretSeal([{ id: 'gone', key: new Uint8Array(32).fill(9) }]);
    const sealed = stranger.seal(lost, lost.secret);
    await service.query("update webhook_endpoint set secret_sealed = $2, secret_key_id = 'gone' where id = $1", [lost.id, sealed]);
    const backwards = createSecretSeal([OLD_RING[0], BOTH_RING[0]]);
    const result = await rewrapSecrets({ db: service.db, seal: backwards });
    assert.deepEqual(result, { rewrapped: COUNT - 1, failed: [lost.id] });
    const [row] = await service.query<{ sealed: Buffer }>('select secret_sealed as sealed from webhook_endpoint where id = $1', [lost.id]);
    assert.deepEqual(row?.sealed, sealed);
  });

  it('skips a removed endpoint', async () => {
    const [, removed] = endpoints;
    assert.ok(removed);
    await service.query('update webhook_endpoint set deleted_at = now(), secret_sealed = null, secret_key_id = null where id = $1', [
      removed.id,
    ]);
    assert.equal((await rewrapSecrets({ db: service.db, seal: createSecretSeal(BOTH_RING) })).failed.length, 1);
  });
});
