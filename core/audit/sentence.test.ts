import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AUDIT_ACTIONS, type AuditTexts } from '@partner-portal/contract/audit-actions.ts';
import { describeAuditEntry, type AuditSentenceEntry } from './sentence.ts';

const MAYA = { type: 'user', name: 'Maya Lindqvist', email: 'maya@northwind.example', via: null } as const;
const SERVICE = { type: 'system', name: null, email: null, via: null } as const;
const entry: AuditSentenceEntry = {
  action: 'agent.paused',
  result: 'ok',
  actor: MAYA,
  target: { label: 'Missed-call text-back' },
  clientName: null,
};
const say = (change: Partial<AuditSentenceEntry>): string => Object.values(describeAuditEntry({ ...entry, ...change })).join(' ');

describe('describeAuditEntry renders', () => {
  for (const [change, sentence] of [
    [{}, 'Maya Lindqvist paused Missed-call text-back'],
    [{ target: { label: null } }, 'Maya Lindqvist paused an agent'],
    [{ result: 'refused' }, 'Maya Lindqvist tried to pause Missed-call text-back'],
    [{ actor: { ...MAYA, name: null } }, 'maya@northwind.example paused Missed-call text-back'],
    [{ actor: { ...MAYA, name: null, email: null } }, 'A former member paused Missed-call text-back'],
    [{ actor: { ...MAYA, type: 'staff', name: null, email: null } }, 'Platform staff paused Missed-call text-back'],
    [
      { actor: { ...MAYA, via: MAYA }, clientName: 'Oak Street Dental', result: 'refused' },
      'Maya Lindqvist, viewing as Oak Street Dental, tried to pause Missed-call text-back',
    ],
    [{ actor: { ...MAYA, via: MAYA } }, 'Maya Lindqvist paused Missed-call text-back'],
    [{ clientName: 'Oak Street Dental' }, 'Maya Lindqvist paused Missed-call text-back'],
    [
      { action: 'session.sign_in_failed', result: 'refused', actor: SERVICE, target: { label: 'a@b.example' } },
      'Someone tried to log in as a@b.example',
    ],
    [{ action: 'invitation.accepted', actor: SERVICE, target: { label: 'a@b.example' } }, 'a@b.example accepted the invitation'],
    [{ action: 'plan_request.submitted', actor: SERVICE, target: { label: 'Kestrel & Co.' } }, 'Kestrel & Co. requested a plan'],
    [{ action: 'plan_request.submitted', target: { label: 'Kestrel & Co.' } }, 'Maya Lindqvist requested a plan'],
    [{ action: 'agent_request.fulfilled', actor: SERVICE, target: { label: 'Reminder' } }, 'The service fulfilled the request Reminder'],
    [{ action: 'credential.saved', target: { label: 'calcom' } }, 'Maya Lindqvist saved the key for Cal.com'],
    [{ action: 'invoice.issued', target: { label: '2026-000002' } }, 'Maya Lindqvist issued invoice 2026-000002'],
    [{ action: 'partner.changed', target: null }, 'Maya Lindqvist changed the agency'],
    [{ action: 'thing.of_old' }, 'Maya Lindqvist did thing.of_old'],
  ] as [Partial<AuditSentenceEntry>, string][]) {
    it(sentence, () => assert.equal(say(change), sentence));
  }
});

describe('the texts of an action', () => {
  for (const [action, words] of Object.entries<AuditTexts>(AUDIT_ACTIONS)) {
    it(`${action} read as a sentence, done or refused, with and without a target`, () => {
      assert.match(action, /^[a-z_]+\.[a-z_]+$/);
      for (const target of [null, { label: 'Something' }])
        for (const result of ['ok', 'refused'] as const) {
          const { who, what } = describeAuditEntry({ ...entry, action, result, target });
          assert.ok(who.length > 0);
          assert.doesNotMatch(what, /[{}]|  |\.$/);
        }
      assert.ok(
        !words.did.includes('{target}') || words.thing !== undefined || words.by !== undefined || action === 'user.seeded',
        'a target that may be missing has a word',
      );
      assert.ok(
        !words.tried.includes('{target}') || words.thing !== undefined || words.by !== undefined,
        'a refused attempt often names nothing',
      );
    });
  }
});
