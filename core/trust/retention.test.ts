import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS, RETAINED } from '@partner-portal/contract/vocabulary.ts';
import { KEPT_DAYS, retentionOf } from './retention.ts';

describe('what is kept', () => {
  it('is listed whole, the access log for at most as long as it is read', () => {
    const kept = (auditDays: number) => new Map(retentionOf({ auditDays, deletionDays: 30 }).map(({ what, days }) => [what, days]));
    assert.deepEqual([...kept(365).keys()].toSorted(), [...RETAINED].toSorted());
    assert.deepEqual([kept(365).get('access_log'), kept(1095).get('access_log')], [365, 400]);
    assert.deepEqual([kept(365).get('deleted_account'), kept(365).get('run_list')], [30, KEPT_DAYS.run_list]);
    // As long as the nightly job lets them live.
    assert.equal(kept(365).get('conversations'), LIMITS.conversationDays);
  });
});
