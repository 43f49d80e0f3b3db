import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { createLog } from '#platform/log.ts';
import type { Notices } from '#platform/notify.ts';
import { streamExecutions } from './stream-executions.ts';

let service: ExecutionService;

before(async () => {
  service = await startExecutionService();
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
});
