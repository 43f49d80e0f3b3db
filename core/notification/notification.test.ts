import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOTIFICATION_TYPES } from '@partner-portal/contract/vocabulary.ts';
import { digestDay } from './digest.ts';
import { NOTIFICATION_RULES, notificationTypesFor } from './notification.ts';

describe('notifications', () => {
  it('offer each role what can reach it: a client neither alerts nor the agency’s people', () => {
    assert.deepEqual(notificationTypesFor('CLIENT'), [
      'agent_request_resolved',
      'text_suggestion_resolved',
      'account_suspended',
      'account_request_resolved',
      'export_ready',
      'conversation_handed_off',
      'security',
    ]);
    assert.ok(
      notificationTypesFor('PARTNER').includes('alert_opened') && !notificationTypesFor('PARTNER').includes('agent_request_submitted'),
    );
    assert.ok(notificationTypesFor('ADMIN').includes('agent_request_submitted'));
    const ofAdmins = notificationTypesFor('PARTNER', 'admin');
    const ofModerators = notificationTypesFor('PARTNER', 'moderator');
    assert.deepEqual(
      ofAdmins.filter((type) => !ofModerators.includes(type)),
      ['account_request', 'account_request_resolved', 'export_ready'],
    );
    assert.deepEqual(notificationTypesFor('PARTNER'), ofAdmins);
    for (const type of NOTIFICATION_TYPES) assert.ok(NOTIFICATION_RULES[type].roles.length > 0, type);
  });

  it('mail account notifications regardless of preferences', () => {
    const fixed = NOTIFICATION_TYPES.filter((type) => NOTIFICATION_RULES[type].emailFixed);
    assert.deepEqual(fixed, ['account_suspended', 'account_request_resolved', 'security']);
    for (const type of fixed) assert.equal(NOTIFICATION_RULES[type].email, 'now', type);
  });

  it('are summarized in the morning of the reader’s time zone', () => {
    for (const [zone, at, day] of [
      ['UTC', '2026-03-01T07:59:59Z', null],
      ['UTC', '2026-03-01T08:00:00Z', '2026-03-01'],
      ['America/Chicago', '2026-03-01T08:00:00Z', null],
      ['America/Chicago', '2026-03-01T14:00:00Z', '2026-03-01'],
      // It is evening of the first in UTC, and morning of the second there.
      ['Pacific/Auckland', '2026-03-01T19:30:00Z', '2026-03-02'],
      ['Asia/Kathmandu', '2026-03-01T02:14:00Z', null],
      ['Asia/Kathmandu', '2026-03-01T02:15:00Z', '2026-03-01'],
      ['No/Such_Zone', '2026-03-01T12:00:00Z', null],
    ] as const)
      assert.equal(digestDay(zone, new Date(at)), day, `${zone} ${at}`);
  });
});
