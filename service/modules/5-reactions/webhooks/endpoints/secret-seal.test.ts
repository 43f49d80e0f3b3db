import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  openStoredSecret,
  addEndpoint,
  type DeliveryService,
  startDeliveryService,
  type TestEndpoint,
} from '@partner-portal/tests/harness/deliveries.ts';
import { BOTH_RING, OLD_RING } from '@partner-portal/tests/harness/key-rings.ts';
import { newSigningSecret } from './secret-seal.ts';

let service: DeliveryService;
let endpoint: TestEndpoint;
let twin: TestEndpoint;

before(async () => {
  service = await startDeliveryService();
  const { partnerId } = service.world;
  const add = () => service.db.asSystem('seed', (tx) => addEndpoint(tx, { partnerId, url: 'http://receiver.test/' }));
  endpoint = await add();
  twin = await add();
});
after(() => service.close());

const open = (which: { id: string; partnerId: string }, ring = OLD_RING) => openStoredSecret(service.db, ring, which);
const stored = async (id: string) =>
  (await service.query<{ sealed: Buffer }>('select secret_sealed as sealed from webhook_endpoint where id = $1', [id]))[0]?.sealed;
const put = (id: string, sealed: Buffer | undefined) =>
  service.query('update webhook_endpoint set secret_sealed = $2 where id = $1', [id, sealed]);

describe('the seal of a signing secret', () => {
  it('opens for its endpoint, also with a newer master key in the ring', async () => {
    assert.equal(await open(endpoint), endpoint.secret);
    assert.equal(await open(endpoint, BOTH_RING), endpoint.secret);
    await assert.rejects(open(endpoint, [BOTH_RING[0]]), /unknown_master_key/);
  });

  it('does not open for another endpoint or agency, or after a byte changed, and does again when it is put back', async () => {
    const sealed = await stored(endpoint.id);
    assert.ok(sealed);
    await assert.rejects(open({ ...endpoint, partnerId: service.world.rivalPartnerId }), /cannot be opened/);
    await put(twin.id, sealed);
    await assert.rejects(open(twin), /not_authentic/);
    const changed = Buffer.from(sealed);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    await put(endpoint.id, changed);
    await assert.rejects(open(endpoint), /not_authentic/);
    await put(endpoint.id, Buffer.from('x'));
    await assert.rejects(open(endpoint), /unknown_format/);
    await put(endpoint.id, sealed);
    assert.equal(await open(endpoint), endpoint.secret);
  });

  it('secrets are 32 random bytes with a prefix', () => {
    assert.match(newSigningSecret(), /^whsec_[\w-]{43}$/);
    assert.notEqual(newSigningSecret(), newSigningSecret());
  });
});
