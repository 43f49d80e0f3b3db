import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invalidLinkCode, invitationExpiry, invitationStatus, mayResend, mayRevoke } from './invitation.ts';
import { seatsFree } from './seats.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const later = new Date('2026-03-02T12:00:00.000Z');
const earlier = new Date('2026-02-28T12:00:00.000Z');

describe('an invitation', () => {
  const table = [
    { stored: 'pending', expiresAt: later, status: 'pending', code: null, resend: true, revoke: true },
    { stored: 'pending', expiresAt: now, status: 'expired', code: 'invitation_expired', resend: true, revoke: true },
    { stored: 'pending', expiresAt: earlier, status: 'expired', code: 'invitation_expired', resend: true, revoke: true },
    { stored: 'accepted', expiresAt: later, status: 'accepted', code: 'invitation_used', resend: false, revoke: false },
    { stored: 'accepted', expiresAt: earlier, status: 'accepted', code: 'invitation_used', resend: false, revoke: false },
    { stored: 'revoked', expiresAt: later, status: 'revoked', code: 'invitation_revoked', resend: false, revoke: true },
    { stored: 'revoked', expiresAt: earlier, status: 'revoked', code: 'invitation_revoked', resend: false, revoke: true },
  ];
  for (const { stored, expiresAt, ...expected } of table) {
    it(`stored as ${stored} with its time ${expiresAt > now ? 'ahead' : 'past'} is ${expected.status}`, () => {
      const facts = { status: stored, expiresAt };
      assert.deepEqual(
        {
          status: invitationStatus(facts, now),
          code: invalidLinkCode({ ...facts, isReplaced: false }, now),
          resend: mayResend(facts, now),
          revoke: mayRevoke(facts, now),
        },
        expected,
      );
    });
  }

  it('resent leaves older links that are as dead as it is itself, and revoked while it lives', () => {
    const codeOf = (status: string, expiresAt: Date) => invalidLinkCode({ status, expiresAt, isReplaced: true }, now);
    assert.deepEqual(
      [codeOf('pending', later), codeOf('pending', earlier), codeOf('accepted', later), codeOf('revoked', later)],
      ['invitation_revoked', 'invitation_expired', 'invitation_used', 'invitation_revoked'],
    );
  });

  it('is valid for seven days', () => {
    assert.equal(invitationExpiry(now).toISOString(), '2026-03-08T12:00:00.000Z');
  });

  it('holds a seat while it is pending', () => {
    assert.equal(seatsFree({ included: 3, purchased: 2, members: 3, pendingInvites: 1 }), 1);
    assert.equal(seatsFree({ included: 3, purchased: 0, members: 2, pendingInvites: 1 }), 0);
  });
});
