import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openStream } from '@partner-portal/tests/harness/event-stream.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { makeDue, runPurges } from '@partner-portal/tests/harness/purge.ts';
import { withClient } from '#platform/db/roles.ts';

let service: ProvisioningService;
before(async () => {
  service = await startProvisioningService();
});
after(() => service?.close());

it('a purge is streamed whole after each change, to staff and to the agency of its client', async () => {
  const { partnerId, clientId } = service.world;
  const requestId = await makeDue(service, partnerId, clientId);
  const origin = await service.listen();
  const follow = (as: 'staff' | 'owner') => openStream(`${origin}/account-deletion/${requestId}/purge/stream`, service.bearer(as));
  const streams = await withClient({ ...service.database.host.adminConfig, database: service.database.name }, async (client) => {
    // The purge waits for this transaction before it deletes rows. Otherwise a slow stream may show all of its changes by one event.
    await client.query('begin; select pg_current_xact_id()');
    await service.runner.runCron('purges.sweep');
    const opened = await Promise.all([follow('staff'), follow('owner')]);
    const [first] = await Promise.all(opened.map((stream) => stream.until((events) => events.length > 0)));
    assert.equal(first?.[0]?.event, 'purge');
    assert.deepEqual(
      first?.[0]?.data.steps.map(({ status }: { status: string }) => status),
      Array.from({ length: 6 }, () => 'pending'),
    );
    const purging = runPurges(service);
    await Promise.all(opened.map((stream) => stream.until((events) => events.length > 1)));
    await client.query('rollback');
    await purging;
    return opened;
  });
  for (const stream of streams) {
    const events = await stream.until((all) => all.at(-1)?.data.status === 'completed');
    const done = events.map(({ data }) => data.steps.filter(({ status }: { status: string }) => status === 'succeeded').length);
    assert.deepEqual(
      done,
      done.toSorted((a, b) => a - b),
    );
    assert.equal(done.at(-1), 6);
    assert.ok(events.length > 2);
    stream.close();
    await stream.ended;
  }
});
