import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createDataKeys } from '@partner-portal/service/modules/1-ledger/data-keys/index.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { resealInBackground } from '@partner-portal/service/reseal-values.ts';
import { openStoredSecret } from './harness/deliveries.ts';
import { OLD_RING } from './harness/key-rings.ts';
import { sealAsBefore } from './harness/old-seal.ts';
import { startTestService, type TestService } from './harness/service.ts';

let service: TestService;
const COUNT = 250;
const endpoints: { id: string; partnerId: string }[] = [];

/** Rows of an earlier version, of two agencies without data keys. */
before(async () => {
  service = await startTestService();
  const { partnerId, rivalPartnerId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    for (let n = 0; n < COUNT; n += 1) {
      const endpoint = { id: newId(), partnerId: n % 2 === 0 ? partnerId : rivalPartnerId };
      const { sealed, keyId } = sealAsBefore(
        OLD_RING,
        { use: 'webhook-secret', partnerId: endpoint.partnerId, place: endpoint.id },
        endpoint.id,
      );
      const values = { ...endpoint, url: 'http://receiver.test/', secretSealed: sealed, secretKeyId: keyId };
      await tx.insertInto('webhookEndpoint').values(values).execute();
      endpoints.push(endpoint);
    }
  });
});
after(() => service.close());

const countOld = async () =>
  (await service.db.asSystem('seed', (tx) => tx.selectFrom('webhookEndpoint').select('id').where('secretKeyId', '=', 'old').execute()))
    .length;

describe('a start after an upgrade', () => {
  it('seals values of the earlier version with data keys, by two processes at once, and none is lost', async () => {
    const pool = createPool(service.database.configFor('portal_service'), { name: 'another', max: 2 });
    const other = { db: createDatabase(pool), dataKeys: createDataKeys(OLD_RING), log: service.log };
    const { signal } = new AbortController();
    await Promise.all([resealInBackground(service, signal), resealInBackground(other, signal)]);
    await pool.end();
    assert.equal(await countOld(), 0);
    for (const endpoint of endpoints) assert.equal(await openStoredSecret(service.db, OLD_RING, endpoint), endpoint.id);
  });

  it('starts nothing when the process is stopping', async () => {
    assert.equal(await service.countStatements(() => resealInBackground(service, AbortSignal.abort())), 0);
  });
});
