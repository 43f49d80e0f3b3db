import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ConversationState, decideInboxAction, INBOX_ACTIONS, type InboxAction } from './status.ts';

const ME = 'me';
const STATES = {
  open: { status: 'open', assignedTo: null },
  waiting: { status: 'handed_off', assignedTo: null },
  mine: { status: 'handed_off', assignedTo: { id: ME, name: 'Sam' } },
  theirs: { status: 'handed_off', assignedTo: { id: 'other', name: 'Alex' } },
  closed: { status: 'closed', assignedTo: null },
} as const satisfies Record<string, ConversationState>;

/** Decisions as `status` or `status+me`, `same`, `refused`. */
const EXPECTED: Record<keyof typeof STATES, Record<InboxAction, string>> = {
  open: { take_over: 'handed_off+me', reply: 'handed_off+me', give_back: 'same', close: 'closed' },
  waiting: { take_over: 'handed_off+me', reply: 'handed_off+me', give_back: 'open', close: 'closed' },
  mine: { take_over: 'same', reply: 'same', give_back: 'open', close: 'closed' },
  theirs: { take_over: 'refused', reply: 'refused', give_back: 'open', close: 'closed' },
  closed: { take_over: 'refused', reply: 'refused', give_back: 'refused', close: 'same' },
};

function name(action: InboxAction, state: ConversationState): string {
  const decision = decideInboxAction(action, state, ME);
  if (decision.kind === 'changed') return decision.isAssigned ? `${decision.status}+me` : decision.status;
  return decision.kind === 'unchanged' ? 'same' : 'refused';
}

describe('an action on a conversation', () => {
  for (const [state, byAction] of Object.entries(EXPECTED)) {
    it(`of state ${state} is decided by who answers it`, () => {
      const found = Object.fromEntries(INBOX_ACTIONS.map((action) => [action, name(action, STATES[state as keyof typeof STATES])])); // its own key
      assert.deepEqual(found, byAction);
    });
  }

  it('names the person who answers, to the second who tries', () => {
    const decision = decideInboxAction('take_over', STATES.theirs, ME);
    assert.match(decision.kind === 'refused' ? decision.detail : '', /^Alex is answering/);
  });
});
