import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { reportStatistics } from '@partner-portal/tests/harness/database.ts';
import { openDeliveryProcess } from '@partner-portal/tests/harness/delivery-process.ts';
import {
  publishInvited,
  type DeliveryService,
  publishInvitedIn,
  type Receiver,
  startDeliveryService,
  startReceiver,
} from '@partner-portal/tests/harness/deliveries.ts';
import { until } from '@partner-portal/tests/harness/system.ts';

let service: DeliveryService;
let receiver: Receiver;

before(async () => {
  // Attempts do not time out on their own, however slow the machine is.
  service = await startDeliveryService({ attemptMs: 600_000 });
  receiver = await startReceiver();
});
after(async () => {
  await service.close();
  await receiver.close();
});
afterEach(async () => {
  receiver.answer = (_request, response) => void response.end();
  receiver.received.length = 0;
  await service.query('delete from delivery_queue');
});

/** An agency with an endpoint at each path, and how many events it has had. */
async function agency(paths: readonly string[], events: number): Promise<string> {
  const partnerId = await service.addAgency();
  for (const path of paths) await service.addEndpoint({ url: `${receiver.origin}${path}`, partnerId });
  await service.db.asSystem('seed', async (tx) => {
    for (let n = 0; n < events; n += 1) await publishInvitedIn(tx, partnerId, 'pat@example.com');
  });
  while ((await service.events.runOnce()) > 0);
  return partnerId;
}
const arrivedAt = (path: string): number[] => receiver.received.flatMap((one, index) => (one.path === path ? [index] : []));

describe('a delivery', () => {
  it('of one agency waits for at most a few of another’s thousand', async () => {
    await agency(['/busy'], 1_000);
    await agency(['/calm'], 1);
    await service.hooks.sender.runOnce();
    const [place = -1] = arrivedAt('/calm');
    assert.ok(place >= 0 && place <= 8, `place ${place}`);
    assert.ok(arrivedAt('/busy').length <= 8);
  });

  it('to one endpoint waits for at most a few of another endpoint of the agency', async () => {
    const partnerId = await agency(['/busy'], 500);
    const second = await service.addEndpoint({ url: `${receiver.origin}/second`, partnerId });
    await service.publish(partnerId);
    await service.events.runOnce();
    await service.hooks.sender.runOnce();
    assert.equal(arrivedAt('/second').length, 1, second.id);
  });

  it('is sent while another agency’s endpoints at the same host hang with all their slots', async () => {
    // More than the sockets per host that other outbound calls may use.
    const paths = Array.from({ length: 5 }, (_, n) => `/hang/${n}`);
    const held: (() => void)[] = [];
    receiver.answer = (request, response) => void (request.path.startsWith('/hang') ? held.push(() => response.end()) : response.end());
    await agency(paths, 20);
    service.hooks.start();
    await until('they hang', () => held.length === 40);
    await agency(['/calm'], 30);
    await until('the calm ones are through', () => arrivedAt('/calm').length === 30);
    assert.equal(held.length, 40, 'eight for each endpoint and no more');
    for (const release of held) release();
    receiver.answer = (_request, response) => void response.end();
    await until('all is sent', async () => (await service.hooks.waiting()) === 0);
    await service.hooks.stop();
    assert.equal(receiver.received.length, 5 * 20 + 30);
  });

  it('of a quick endpoint gets more parallel attempts as responses arrive, within its limit', async () => {
    let [open, most] = [0, 0];
    receiver.answer = (_request, response) => {
      most = Math.max(most, (open += 1));
      setImmediate(() => {
        open -= 1;
        response.end();
      });
    };
    await agency(['/quick'], 600);
    service.hooks.start();
    await until('all is sent', async () => (await service.hooks.waiting()) === 0);
    await service.hooks.stop();
    assert.ok(most <= 32, `${most} at once`);
    assert.equal(receiver.received.length, 600);
  });
});

describe('the cost of a delivered event', () => {
  /** All statements but notices to other processes, which a process that reacts and sends itself never emits. */
  const countStatements = async (work: () => Promise<void>): Promise<number> => {
    let count = 0;
    const stop = service.db.onStatement(({ name }) => void (count += name === 'wake' ? 0 : 1));
    await work();
    stop();
    return count;
  };
  const count = async (events: number): Promise<number> => {
    const partnerId = await agency(['/counted'], 0);
    return countStatements(async () => {
      await service.db.asSystem('seed', async (tx) => {
        for (let n = 0; n < events; n += 1) await publishInvitedIn(tx, partnerId, 'pat@example.com');
      });
      await service.drain();
    });
  };

  it('is at most 8 statements for a single event, BEGIN, scope and COMMIT included', async (context) => {
    const partnerId = await agency(['/alone'], 0);
    await service.publish(partnerId);
    const statements = await countStatements(async () => {
      await service.events.runOnce();
      await service.hooks.sender.runOnce();
    });
    context.diagnostic(`${statements} statements`);
    assert.equal(arrivedAt('/alone').length, 1);
    assert.ok(statements >= 3 && statements <= 8, `${statements}`);
  });

  it('is at most 3 each for many events together, publishing included', async (context) => {
    const statements = await count(400);
    context.diagnostic(`${(statements / 400).toFixed(2)} statements an event, ${statements - 400} of them not its own insert`);
    assert.equal(arrivedAt('/counted').length, 400);
    assert.ok(statements >= 400 && statements <= 3 * 400, `${statements}`);
  });
});

describe('the tables', () => {
  const TABLES = `relname ~ '^(event|delivery|delivery_queue|delivery_attempt|webhook_endpoint)(_\\d{4}_\\d{2})?$'`;
  const reads = async (): Promise<{ whole: number; single: number }> => {
    const [row] = await service.query<{ whole: number; single: number }>(
      `select sum(seq_tup_read)::int as whole, sum(coalesce(idx_tup_fetch, 0))::int as single from pg_stat_user_tables where ${TABLES}`,
    );
    assert.ok(row);
    return row;
  };

  it('are never scanned: the cost of a delivery grows neither with past nor with hanging deliveries', async () => {
    const past = await agency(['/past'], 1_000);
    const hanging = await agency(['/hanging'], 1_000);
    await service.query(`update delivery set status = 'delivered', due_at = null where partner_id = $1`, [past]);
    await service.query('delete from delivery_queue where partner_id = $1', [past]);
    await service.query('analyze');
    const fresh = await agency(['/fresh'], 0);
    await reportStatistics(service.database);
    const before = await reads();
    // A process of its own, so that plans are made now.
    const room = openDeliveryProcess(service.database.configFor('portal_service'), service.log);
    for (let turn = 0; turn < 10; turn += 1) {
      for (let n = 0; n < 5; n += 1) await publishInvited(room.db, fresh, 'pat@example.com');
      await room.events.runOnce();
      await room.hooks.sender.runOnce();
    }
    // What a clock that was set back left for later.
    while (arrivedAt('/fresh').length < 50) {
      await room.events.runOnce();
      await room.hooks.sender.runOnce();
    }
    await room.stop();
    assert.equal(arrivedAt('/hanging').length > 0, true, hanging);
    const sent = receiver.received.length;
    await reportStatistics(service.database);
    const after = await reads();
    assert.ok(after.whole - before.whole < 500, `${after.whole - before.whole} rows of whole tables`);
    assert.ok(after.single > before.single && after.single - before.single < 60 * sent, `${after.single - before.single} rows for ${sent}`);
  });
});

describe('retention', () => {
  it('drops whole months of deliveries, attempts and events, but no month with pending work', async () => {
    const partnerId = await service.addAgency();
    const { id: endpointId } = await service.addEndpoint({ url: receiver.url, partnerId });
    for (const table of ['delivery', 'delivery_attempt', 'event'])
      await service.query(`select create_month_partitions('${table}', '2020-01-01', 3)`);
    const idIn = (month: string) => `uuid_floor('${month}-15'::timestamptz)`;
    const old = (month: string, status: string, due: string) =>
      service.query(
        `insert into delivery (id, partner_id, endpoint_id, event_id, event_type, body, status, due_at) values (${idIn(month)}, $1, $2, uuidv7(), 'webhook.test', '{}', $3, ${due})`,
        [partnerId, endpointId, status],
      );
    await old('2020-01', 'delivered', 'null');
    await old('2020-02', 'pending', 'now()');
    for (const [month, due] of [
      ['2020-01', 'null'],
      ['2020-02', 'now()'],
    ])
      await service.query(
        `insert into event (id, partner_id, type, data, due_at) values (${idIn(month ?? '')}, $1, 'webhook.test', '{}', ${due})`,
        [partnerId],
      );
    const maintain = async () =>
      (await service.query<{ name: string }>('select m.name from partitioned_table p, maintain_partitions(p.name) as m(name)'))
        .map((row) => row.name)
        .filter((name) => name.includes('_2020_'))
        .toSorted();
    assert.deepEqual(await maintain(), [
      'delivery_2020_01',
      'delivery_2020_03',
      'delivery_attempt_2020_01',
      'delivery_attempt_2020_02',
      'delivery_attempt_2020_03',
      'event_2020_01',
      'event_2020_03',
    ]);
    await service.query(`update delivery set status = 'delivered', due_at = null where id = ${idIn('2020-02')}`);
    await service.query('update event set due_at = null');
    assert.deepEqual(await maintain(), ['delivery_2020_02', 'event_2020_02']);
  });
});
