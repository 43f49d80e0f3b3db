import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AGENT_REQUEST_KINDS,
  AGENT_REQUEST_STATUSES,
  type AgentRequestKind,
  type AgentRequestStatus,
} from '@partner-portal/contract/vocabulary.ts';
import { type AgentRequestTrigger, isDone, nextAgentRequestStatus } from './agent-request.ts';

const TRIGGERS: AgentRequestTrigger[] = [
  'submit',
  'decline',
  'approve',
  'reject',
  'cancel',
  'start',
  'attach',
  'succeeded',
  'failed',
  'held',
];

/** All allowed transitions; every other pair must be refused. */
type Table = { [from in AgentRequestStatus]?: { [trigger in AgentRequestTrigger]?: AgentRequestStatus } };
const ALLOWED: { [kind in AgentRequestKind]: Table } = {
  template: {
    suggested: { submit: 'submitted', decline: 'declined' },
    submitted: { approve: 'approved', reject: 'rejected', cancel: 'cancelled' },
    approved: { start: 'provisioning', reject: 'rejected' },
    provisioning: { succeeded: 'fulfilled', failed: 'provisioning_failed', held: 'approved' },
    provisioning_failed: { start: 'provisioning', reject: 'rejected' },
  },
  custom: {
    suggested: { submit: 'submitted', decline: 'declined' },
    submitted: { approve: 'approved', reject: 'rejected', cancel: 'cancelled' },
    approved: { attach: 'fulfilled', reject: 'rejected' },
  },
};

for (const kind of AGENT_REQUEST_KINDS) {
  for (const from of AGENT_REQUEST_STATUSES) {
    for (const trigger of TRIGGERS) {
      const to = ALLOWED[kind][from]?.[trigger] ?? null;
      test(`${kind}: ${from} + ${trigger} ${to === null ? 'changes nothing' : `leads to ${to}`}`, () => {
        assert.equal(nextAgentRequestStatus(kind, from, trigger), to);
      });
    }
  }
}

test('what is done is never left, and what is open is always left somehow', () => {
  for (const kind of AGENT_REQUEST_KINDS) {
    for (const from of AGENT_REQUEST_STATUSES) {
      const ways = TRIGGERS.filter((trigger) => nextAgentRequestStatus(kind, from, trigger) !== null);
      if (isDone(from)) assert.deepEqual(ways, [], `${kind} ${from}`);
      // A custom request is never handed to the pipeline, so it never gets into the pipeline's states.
      else if (kind === 'template' || !from.startsWith('provisioning')) assert.ok(ways.length > 0, `${kind} ${from}`);
    }
  }
});
