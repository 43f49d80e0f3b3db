import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 } from 'uuid';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { createLog } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';
import { streamExecutions } from './stream-executions.ts';

let service: ExecutionService;
let workflowId: string;

before(async () => {
  service = await startExecutionService();
  workflowId = await service.addAgent();
});
after(() => service.close());

describe('a stream of executions', () => {
  it('that cannot be opened leaves no subscription', async () => {
    let followed = 0;
    const notices: Notices = {
      subscribe() {
        followed += 1;
        return () => void (followed -= 1);
      },
      close: () => Promise.resolve(),
    };
    const actor = service.actor('clientUser');
    const { source } = await streamExecutions({ db: service.db, notices, log: createLog('silent') }, actor, {});
    const stop = await source.open(() => undefined, '1700000000000');
    assert.equal(followed, 1);
    stop();
    assert.equal(followed, 0);
    // The session ends between the request and the query for missed changes.
    await service.query(`update app_user set sessions_valid_from = now() + interval '1 minute' where id = $1`, [actor.userId]);
    await assert.rejects(async () => source.open(() => undefined, '1700000000000'));
    assert.equal(followed, 0);
  });

  describe('that is resumed', () => {
    const silent: Notices = { subscribe: () => () => undefined, close: () => Promise.resolve() };
    type Sent = { id: string; event: string; data: { id: string } };
    async function resume(since: string): Promise<{ sent: Sent[]; hasEnded: boolean }> {
      const { source } = await streamExecutions({ db: service.db, notices: silent, log: createLog('silent') }, service.actor('owner'), {});
      const sent: Sent[] = [];
      let hasEnded = false;
      const stop = await source.open(
        (event) => sent.push(event as Sent), // the data of this stream
        since,
        () => (hasEnded = true),
      );
      stop();
      return { sent, hasEnded };
    }
    /** Adds ended runs: when each began and ended, in seconds before now. */
    async function addRuns(count: number, began: number, ended: number): Promise<string[]> {
      const { partnerId, clientId } = service.world;
      const ids = Array.from({ length: count }, () => v7({ msecs: Date.now() - began * 1000 }));
      await service.query(
        `insert into execution (id, partner_id, client_id, workflow_id, source, summary, template_version, credits_held, due_at, started_at, finished_at, status)
          select x, $2, $3, $4, 'ingest', '', 1, 1, now(), now() - make_interval(secs => $5), now() - make_interval(secs => $6), 'SUCCEEDED' from unnest($1::uuid[]) x`,
        [ids, partnerId, clientId, workflowId, began, ended],
      );
      return ids;
    }
    const ago = (seconds: number): string => String(Date.now() - seconds * 1000);

    it('sends all that changed meanwhile, however much, oldest first', async () => {
      const [old, recent] = [await addRuns(250, 500, 400), await addRuns(250, 500, 300)];
      const { sent, hasEnded } = await resume(ago(450));
      assert.equal(hasEnded, false);
      const order = sent.map(({ data }) => data.id).filter((id) => old.includes(id) || recent.includes(id));
      assert.deepEqual([new Set(order.slice(0, 250)), new Set(order.slice(250))], [new Set(old), new Set(recent)]);
    });

    it('goes on where it broke off', async () => {
      const ids = await addRuns(450, 700, 600);
      const { sent } = await resume(ago(650));
      // The connection breaks after the first event of the third page.
      const received = sent.slice(0, 401);
      const again = await resume(received.at(-1)?.id ?? '');
      const seen = new Set([...received, ...again.sent].map(({ data }) => data.id));
      assert.deepEqual(
        ids.filter((id) => !seen.has(id)),
        [],
      );
    });

    it('sends the end of a run that began hours before, and no other run of then', async () => {
      const [late, over] = [await addRuns(1, 7_200, 90), await addRuns(1, 7_200, 7_100)];
      const { sent } = await resume(ago(100));
      const seen = sent.map(({ data }) => data.id);
      assert.deepEqual([late.every((id) => seen.includes(id)), over.some((id) => seen.includes(id))], [true, false]);
    });
  });
});
