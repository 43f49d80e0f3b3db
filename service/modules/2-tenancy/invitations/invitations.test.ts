import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { startTestService, type TestReply, type TestService } from '@partner-portal/tests/harness/service.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { invitations } from './index.ts';

const GOOD = 'nine quiet herons';
let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [platform.mail, partners(platform), invitations(platform)] });
  await service.db.asSystem('seed', (tx) =>
    tx.updateTable('subscription').set({ purchasedSeats: 90 }).where('partnerId', '=', service.world.partnerId).execute(),
  );
});
after(() => service.close());

const tokenOf = (acceptUrl: string): string => acceptUrl.slice(acceptUrl.lastIndexOf('/') + 1);
const inviteTeam = (email: string, as: 'owner' | 'rivalOwner' = 'owner') =>
  service.call('POST', '/invitations', { as, body: { kind: 'team', email } });
/** Takes no seat. */
const inviteClientUser = (email: string, as: 'owner' | 'rivalOwner' = 'owner') =>
  service.call('POST', '/invitations', {
    as,
    body: { kind: 'client_user', email, clientId: as === 'owner' ? service.world.clientId : service.world.rivalClientId },
  });
const accept = (token: string, body: object = {}) =>
  service.call('POST', '/invitations/accept', { body: { token, password: GOOD, ...body } });
const expire = (id: string) =>
  service.db.asSystem('seed', (tx) =>
    tx
      .updateTable('invitation')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('id', '=', id)
      .execute(),
  );
const usersOf = (email: string) =>
  service.db.asSystem('seed', (tx) => tx.selectFrom('appUser').selectAll().where('email', '=', email).execute());

describe('inviting a team member', () => {
  it('returns a link that always creates a moderator', async () => {
    const { status, body } = await service.call('POST', '/invitations', {
      as: 'owner',
      body: { kind: 'team', email: 'New.Member@portal.test', fullName: 'Nia New', partnerRole: 'admin' },
    });
    assert.equal(status, 201);
    assert.match(body.acceptUrl, /^http:\/\/portal\.test\/invite\/[\w-]{43}$/);
    assert.deepEqual([body.status, body.partnerRole, body.emailStatus, body.resendCount], ['pending', 'moderator', 'not_configured', 0]);
    assert.equal(Date.parse(body.expiresAt) - Date.parse(body.sentAt), 7 * 86_400_000);
    const accepted = await accept(tokenOf(body.acceptUrl));
    assert.deepEqual([accepted.status, accepted.body.email], [201, 'new.member@portal.test']);
    const session = await service.login('new.member@portal.test', GOOD);
    assert.deepEqual([session.status, session.body.user.partnerRole, session.body.user.fullName], [200, 'moderator', 'Nia New']);
  });

  it('never logs its link', async () => {
    const lines: string[] = [];
    const logged = await startTestService({ modules: (platform) => [invitations(platform)], logLine: (line) => void lines.push(line) });
    try {
      const { body } = await logged.call('POST', '/invitations', { as: 'owner', body: { kind: 'team', email: 'logged@portal.test' } });
      const token = tokenOf(body.acceptUrl);
      assert.equal((await logged.call('GET', `/invitations/token/${token}`)).status, 200);
      assert.equal((await logged.call('POST', '/invitations/accept', { body: { token, password: GOOD } })).status, 201);
      assert.ok(lines.some((line) => line.includes('/invitations/token/[secret]')));
      assert.equal(lines.join('\n').includes(token), false);
      assert.equal(lines.join('\n').includes(GOOD), false);
    } finally {
      await logged.close();
    }
  });

  it('stores only the hash of the token', async () => {
    const { body } = await inviteTeam('hash@portal.test');
    const rows = await service.db.asSystem('seed', (tx) => tx.selectFrom('invitation').selectAll().where('id', '=', body.id).execute());
    assert.equal(
      JSON.stringify(rows, (_, value) => (Buffer.isBuffer(value) ? value.toString('base64url') : value)).includes(tokenOf(body.acceptUrl)),
      false,
    );
    const listed = await service.call('GET', '/invitations', { as: 'owner' });
    assert.equal(listed.text.includes('acceptUrl'), false);
  });

  it('refuses an address that has a user of the same agency or its clients, and a pending one', async () => {
    for (const own of ['moderator@portal.test', 'clientuser@portal.test'])
      assert.equal((await inviteTeam(own)).body.code, 'email_in_use', own);
    assert.equal((await inviteTeam('twice@portal.test')).status, 201);
    assert.equal((await inviteTeam('twice@portal.test')).body.code, 'already_pending');
    assert.equal((await inviteTeam('twice@portal.test', 'rivalOwner')).status, 201);
  });

  it('replaces an expired one', async () => {
    const { body } = await inviteTeam('late@portal.test');
    await expire(body.id);
    assert.equal((await inviteTeam('late@portal.test')).status, 201);
  });

  it('is allowed to admins of a partner only', async () => {
    const body = { kind: 'team', email: 'x@portal.test' };
    await service.assertRefused(
      'POST',
      '/invitations',
      { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', staff: 'role_forbidden' },
      body,
    );
    const scoped = await service.call('POST', '/invitations', { as: 'owner', body: { ...body, partnerId: service.world.partnerId } });
    assert.equal(scoped.body.code, 'scope_forbidden');
    const wrong = await service.call('POST', '/invitations', { as: 'owner', body: { kind: 'owner', email: 'no' } });
    assert.deepEqual([wrong.status, wrong.body.errors.length], [422, 2]);
  });
});

describe('seats', () => {
  it('are used by members and pending team links, and the last one is given once under concurrency', async () => {
    const setSeats = (seats: number) =>
      service.db.asSystem('seed', (tx) =>
        tx
          .updateTable('subscription')
          .set({ overrides: JSON.stringify({ includedSeats: seats }) })
          .where('partnerId', '=', service.world.rivalPartnerId)
          .execute(),
      );
    const { body: held } = await inviteTeam('holds@portal.test', 'rivalOwner');
    const taken = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('invitation')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('partnerId', '=', service.world.rivalPartnerId)
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow(),
    );
    await setSeats(1 + Number(taken.n) + 1);
    const replies = await Promise.all(Array.from({ length: 6 }, (_, n) => inviteTeam(`race${n}@portal.test`, 'rivalOwner')));
    assert.deepEqual(
      replies.map((reply) => reply.status).toSorted((a, b) => a - b),
      [201, 409, 409, 409, 409, 409],
    );
    const refused = replies.find((reply) => reply.status === 409);
    assert.deepEqual([refused?.body.code, refused?.body.limit], ['seat_limit_reached', 2 + Number(taken.n)]);
    // An expired link frees its seat; resending it needs one again.
    await expire(held.id);
    assert.equal((await inviteTeam('next@portal.test', 'rivalOwner')).status, 201);
    const resent = await service.call('POST', `/invitations/${held.id}/resend`, { as: 'rivalOwner' });
    assert.equal(resent.body.code, 'seat_limit_reached');
    // Client users take none.
    const client = await service.call('POST', '/invitations', {
      as: 'rivalOwner',
      body: { kind: 'client_user', email: 'noseat@portal.test', clientId: service.world.rivalClientId },
    });
    assert.equal(client.status, 201);
    await setSeats(10);
  });
});

describe('inviting a client user', () => {
  it('creates the user of that client and publishes client_user.invited without the link', async () => {
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('client').set({ locale: 'es' }).where('id', '=', service.world.clientId).execute(),
    );
    const { status, body } = await service.call('POST', '/invitations', {
      as: 'owner',
      body: { kind: 'client_user', email: 'dana@oak.test', clientId: service.world.clientId },
    });
    assert.equal(status, 201);
    const event = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('event')
        .selectAll()
        .where('type', '=', 'client_user.invited')
        .where('clientId', '=', service.world.clientId)
        .executeTakeFirstOrThrow(),
    );
    assert.equal(JSON.stringify(event.data).includes(tokenOf(body.acceptUrl)), false);
    assert.ok(JSON.stringify(event.data).includes('Oak Street Dental'));
    await accept(tokenOf(body.acceptUrl), { fullName: 'Dana Oak' });
    const session = await service.login('dana@oak.test', GOOD);
    assert.deepEqual(
      [session.body.user.role, session.body.user.clientId, session.body.user.timezone, session.body.user.locale],
      ['CLIENT', service.world.clientId, 'America/Chicago', 'es'],
    );
  });

  it('needs a client of the same partner', async () => {
    const missing = await service.call('POST', '/invitations', { as: 'owner', body: { kind: 'client_user', email: 'a@oak.test' } });
    assert.deepEqual([missing.status, missing.body.errors[0].field], [422, 'clientId']);
    const foreign = await service.call('POST', '/invitations', {
      as: 'owner',
      body: { kind: 'client_user', email: 'a@oak.test', clientId: service.world.rivalClientId },
    });
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'not_found']);
  });
});

describe('a link', () => {
  it('shows who invites to what, without a session', async () => {
    const { body } = await inviteTeam('shown@portal.test');
    const shown = await service.call('GET', `/invitations/token/${tokenOf(body.acceptUrl)}`);
    assert.deepEqual(
      [shown.status, shown.body.partnerName, shown.body.invitedByName, shown.body.kind],
      [200, 'Acme Agency', 'Owner Tester', 'team'],
    );
    const unknown = await service.call('GET', '/invitations/token/nothing-like-it');
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found']);
  });

  it('can be redeemed once under concurrency', async () => {
    const { body } = await inviteTeam('popular@portal.test');
    const replies = await Promise.all(Array.from({ length: 8 }, () => accept(tokenOf(body.acceptUrl))));
    assert.equal(replies.filter((reply) => reply.status === 201).length, 1);
    for (const reply of replies) assert.ok([201, 409, 410].includes(reply.status), `${reply.status} ${reply.body.code}`);
    assert.equal((await usersOf('popular@portal.test')).length, 1);
  });

  it('logs in the person who accepts it, as a login with the new password does', async () => {
    const { body } = await inviteTeam('at-once@portal.test');
    const accepted = await accept(tokenOf(body.acceptUrl), { fullName: 'Ada Once' });
    const later = await service.login('at-once@portal.test', GOOD);
    const shapeOf = ({ user, ...rest }: { user: object }) => [Object.keys(rest), Object.keys(user)];
    const { session } = accepted.body;
    assert.deepEqual(shapeOf(session), shapeOf(later.body));
    assert.deepEqual(
      [session.user.fullName, session.user.partnerRole, session.user.authMethod, session.user.suspension],
      ['Ada Once', 'moderator', 'password', null],
    );
    const headers = { authorization: `Bearer ${session.accessToken}` };
    assert.equal((await service.call('GET', '/auth/me', { headers })).body.user.id, session.user.id);
    // Listed and recorded as any login, and the browser is known at the next one.
    assert.equal((await service.call('GET', '/auth/sessions', { headers })).body.length, 2);
    const signedIn = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').select('action').where('targetId', '=', session.user.id).orderBy('id').execute(),
    );
    assert.deepEqual(
      signedIn.map(({ action }) => action),
      ['invitation.accepted', 'session.signed_in', 'session.signed_in'],
    );
    assert.match(String(accepted.headers['set-cookie']), /^known_device=[^;]+; .*HttpOnly/);
    // It ends as any session.
    assert.equal((await service.call('POST', '/auth/logout', { headers })).status, 204);
    assert.equal((await service.call('GET', '/auth/me', { headers })).status, 401);
  });

  it('of a suspended agency logs in to read why, as a login does', async () => {
    const { body } = await inviteTeam('suspended@portal.test', 'rivalOwner');
    const suspend = (status: 'active' | 'suspended') =>
      service.db.asSystem('seed', (tx) =>
        tx.updateTable('partner').set({ status }).where('id', '=', service.world.rivalPartnerId).execute(),
      );
    await suspend('suspended');
    try {
      const { session } = (await accept(tokenOf(body.acceptUrl))).body;
      assert.equal(session.user.partner.status, 'suspended');
      const headers = { authorization: `Bearer ${session.accessToken}` };
      assert.equal((await service.call('GET', '/auth/me', { headers })).status, 200);
      assert.equal((await service.call('GET', '/invitations', { headers })).body.code, 'account_suspended');
    } finally {
      await suspend('active');
    }
  });

  it('is invalid once used, revoked or expired, and creates no user', async () => {
    const used = (await inviteTeam('used@portal.test')).body;
    await accept(tokenOf(used.acceptUrl));
    const revoked = (await inviteTeam('revoked@portal.test')).body;
    const revokedRecord = await service.call('POST', `/invitations/${revoked.id}/revoke`, { as: 'owner' });
    assert.deepEqual([revokedRecord.status, revokedRecord.body.status], [200, 'revoked']);
    const expired = (await inviteTeam('expired@portal.test')).body;
    await expire(expired.id);
    for (const [{ acceptUrl, email }, code] of [
      [used, 'invitation_used'],
      [revoked, 'invitation_revoked'],
      [expired, 'invitation_expired'],
    ] as const) {
      const [reply, shown] = [await accept(tokenOf(acceptUrl)), await service.call('GET', `/invitations/token/${tokenOf(acceptUrl)}`)];
      assert.deepEqual([reply.status, reply.body.code, shown.status, shown.body.code], [410, code, 410, code]);
      assert.equal((await usersOf(email)).length, email === 'used@portal.test' ? 1 : 0);
      // Who is a user cannot be invited again.
      const advice =
        code === 'invitation_used'
          ? 'The account exists. Log in with the address that was invited.'
          : 'Ask Owner Tester for a new invitation.';
      assert.deepEqual([reply.body.detail, shown.body.detail], [advice, advice]);
    }
    assert.equal((await accept('never-issued')).status, 404);
  });

  it('is replaced when it is resent', async () => {
    const first = (await inviteTeam('again@portal.test')).body;
    const second = await service.call('POST', `/invitations/${first.id}/resend`, { as: 'owner' });
    assert.deepEqual([second.status, second.body.resendCount, second.body.status], [200, 1, 'pending']);
    const show = (acceptUrl: string) => service.call('GET', `/invitations/token/${tokenOf(acceptUrl)}`);
    for (const old of [await accept(tokenOf(first.acceptUrl)), await show(first.acceptUrl)]) {
      assert.deepEqual([old.status, old.body.code], [410, 'invitation_revoked']);
      assert.match(old.body.detail, /newer link/);
    }
    assert.equal((await usersOf('again@portal.test')).length, 0);
    assert.equal((await accept(tokenOf(second.body.acceptUrl))).status, 201);
    assert.equal((await show(first.acceptUrl)).body.code, 'invitation_used');
    const late = await service.call('POST', `/invitations/${first.id}/resend`, { as: 'owner' });
    assert.deepEqual([late.status, late.body.code], [409, 'invalid_state']);
    assert.equal((await service.call('POST', `/invitations/${first.id}/revoke`, { as: 'owner' })).body.code, 'invalid_state');
  });

  it('is mailed to one address at most ten times an hour, new or resent; other addresses are unaffected', async () => {
    const email = 'flooded@portal.test';
    let held = (await inviteTeam(email)).body.id;
    const send = async (way: 'resend' | 'invite') => {
      if (way === 'resend') return service.call('POST', `/invitations/${held}/resend`, { as: 'owner' });
      await service.call('POST', `/invitations/${held}/revoke`, { as: 'owner' });
      const reply = await inviteTeam(email);
      if (reply.status === 201) held = reply.body.id;
      return reply;
    };
    for (let sent = 1; sent < 10; sent += 1) assert.ok((await send(sent % 2 === 0 ? 'invite' : 'resend')).status < 300, `mail ${sent + 1}`);
    for (const way of ['resend', 'invite'] as const) {
      const { status, body } = await send(way);
      assert.deepEqual([status, body.code], [429, 'rate_limited']);
      assert.ok(body.retryAfterSeconds > 0);
      assert.match(body.detail, /^Please wait \d+ minutes before/);
    }
    assert.equal((await inviteTeam('calm@portal.test')).status, 201);
    assert.equal((await inviteTeam(email, 'rivalOwner')).status, 201);
  });

  it('refuses a weak password', async () => {
    const { body } = await inviteTeam('weak@portal.test');
    const common = await accept(tokenOf(body.acceptUrl), { password: 'Password123' });
    assert.deepEqual([common.status, common.body.code, common.body.errors[0].field], [422, 'weak_password', 'password']);
    for (const [password, code] of [
      ['', 'too_short'],
      ['seven77', 'too_short'],
      ['long '.repeat(26), 'too_long'],
    ] as const) {
      const weak = await accept(tokenOf(body.acceptUrl), { password });
      assert.deepEqual([weak.status, weak.body.code, weak.body.errors[0].code], [422, 'weak_password', code]);
    }
    assert.equal((await accept(tokenOf(body.acceptUrl), { password: 8 })).body.code, 'validation_failed');
    assert.equal((await accept(tokenOf(body.acceptUrl))).status, 201);
  });

  it('creates no user when its address has one by now', async () => {
    const one = (await inviteTeam('both@portal.test')).body;
    const two = (await inviteTeam('both@portal.test', 'rivalOwner')).body;
    assert.equal((await accept(tokenOf(one.acceptUrl))).status, 201);
    assert.deepEqual((await accept(tokenOf(two.acceptUrl))).body.code, 'email_in_use');
    assert.equal((await usersOf('both@portal.test')).length, 1);
  });
});

describe('the invitation of an owner', () => {
  const act = (id: string, action: 'resend' | 'revoke', body: object = {}, as: 'staff' | 'owner' = 'staff') =>
    service.call('POST', `/invitations/${id}/${action}`, { as, body });
  const show = (acceptUrl: string) => service.call('GET', `/invitations/token/${tokenOf(acceptUrl)}`);
  const open = async (slug: string) => {
    const body = { name: `Agency ${slug}`, slug, ownerEmail: `${slug}@owner.test`, ownerName: 'Otto Owner', planId: service.world.planId };
    const made = await service.call('POST', '/partners', { as: 'staff', body });
    assert.equal(made.status, 201, made.text);
    return made.body.invitation as { id: string; acceptUrl: string; partnerId: string };
  };
  const openLinksOf = async (partnerId: string) =>
    (await service.call('GET', `/invitations?partnerId=${partnerId}&kind=owner&status=pending`, { as: 'staff' })).body.data.length;

  it('is sent again by staff after it expired: the workspace has no user who could', async () => {
    const first = await open('holiday');
    await expire(first.id);
    const dead = await show(first.acceptUrl);
    assert.deepEqual([dead.status, dead.body.code, dead.body.detail], [410, 'invitation_expired', 'Contact us for a new link.']);
    const again = await act(first.id, 'resend');
    assert.deepEqual([again.status, again.body.id, again.body.status, again.body.kind], [200, first.id, 'pending', 'owner']);
    assert.equal(await openLinksOf(first.partnerId), 1);
    const accepted = await accept(tokenOf(again.body.acceptUrl), { fullName: 'Otto Owner' });
    assert.deepEqual([accepted.status, accepted.body.session.user.partnerRole], [201, 'admin']);
    assert.equal((await act(first.id, 'resend')).body.code, 'invalid_state');
    assert.equal((await act(first.id, 'revoke')).body.code, 'invalid_state');
  });

  it('goes to a corrected address, and the link to the wrong one is revoked without naming it', async () => {
    const wrong = await open('mistyped');
    const right = await act(wrong.id, 'resend', { email: 'Right@owner.test' });
    assert.deepEqual(
      [right.status, right.body.email, right.body.kind, right.body.status],
      [200, 'right@owner.test', 'owner', 'pending'],
      right.text,
    );
    const dead = await show(wrong.acceptUrl);
    assert.deepEqual([dead.status, dead.body.code], [410, 'invitation_revoked']);
    assert.doesNotMatch(dead.text, /right@owner/);
    assert.equal(await openLinksOf(wrong.partnerId), 1);
    assert.deepEqual((await act(wrong.id, 'resend')).body.code, 'invalid_state');
    assert.equal((await act(right.body.id, 'resend', { email: 'moderator@portal.test' })).body.code, 'email_in_use');
    assert.equal((await show(right.body.acceptUrl)).status, 200);
    assert.equal((await accept(tokenOf(right.body.acceptUrl))).body.session.user.partnerRole, 'admin');
  });

  it('is revoked by staff, and can be sent again: otherwise no one could ever enter', async () => {
    const first = await open('revoked-owner');
    assert.deepEqual([(await act(first.id, 'revoke')).status, (await show(first.acceptUrl)).body.code], [200, 'invitation_revoked']);
    assert.equal(await openLinksOf(first.partnerId), 0);
    const replies = await Promise.all([act(first.id, 'resend'), act(first.id, 'resend', { email: 'other@owner.test' })]);
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
    assert.equal(await openLinksOf(first.partnerId), 1);
    const link = replies.find(({ status }) => status === 200)?.body.acceptUrl;
    assert.equal((await accept(tokenOf(link))).body.session.user.partnerRole, 'admin');
  });

  it('is the only one that staff act on, and the only one whose address can be corrected', async () => {
    const { body } = await inviteTeam('agencys-own@portal.test');
    for (const action of ['resend', 'revoke'] as const) assert.equal((await act(body.id, action)).body.code, 'role_forbidden');
    const refused = await act(body.id, 'resend', { email: 'another@portal.test' }, 'owner');
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'email']);
    assert.equal((await act(body.id, 'resend', { email: 'agencys-own@portal.test' }, 'owner')).status, 200);
  });
});

describe('the list of invitations', () => {
  it('pages newest first, filters by current status, and stays inside the partner', async () => {
    const { body } = await inviteTeam('listed@portal.test');
    await expire(body.id);
    const expired = await service.call('GET', '/invitations?status=expired&limit=100', { as: 'moderator' });
    assert.ok(expired.body.data.some((row: { id: string; status: string }) => row.id === body.id && row.status === 'expired'));
    const first = await service.call('GET', '/invitations?limit=2', { as: 'owner' });
    const second = await service.call('GET', `/invitations?limit=2&cursor=${first.body.nextCursor}`, { as: 'owner' });
    assert.equal(first.body.data[0].id, body.id);
    assert.equal(new Set([...first.body.data, ...second.body.data].map((row: { id: string }) => row.id)).size, 4);
    assert.equal(
      (await service.call('GET', `/invitations?limit=2&status=revoked&cursor=${first.body.nextCursor}`, { as: 'owner' })).body.code,
      'invalid_cursor',
    );
    const rival = await service.call('GET', '/invitations?limit=100', { as: 'rivalOwner' });
    assert.ok(rival.body.data.every((row: { partnerId: string }) => row.partnerId === service.world.rivalPartnerId));
    const staff = await service.call('GET', `/invitations?limit=100&partnerId=${service.world.partnerId}`, { as: 'staff' });
    assert.ok(
      staff.body.data.length > 4 && staff.body.data.every((row: { partnerId: string }) => row.partnerId === service.world.partnerId),
    );
  });

  it('names the inviter, but hides staff from the partner', async () => {
    const { body } = await inviteTeam('by-whom@portal.test');
    const inviterFor = async (as: 'owner' | 'staff') => {
      const list = await service.call('GET', '/invitations?limit=100', { as });
      return list.body.data.find((row: { id: string }) => row.id === body.id).invitedBy;
    };
    const { owner, staff } = service.world.people;
    assert.deepEqual([await inviterFor('owner'), await inviterFor('staff')], [owner.userId, owner.userId]);
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('invitation').set({ invitedBy: staff.userId }).where('id', '=', body.id).execute(),
    );
    assert.deepEqual([await inviterFor('owner'), await inviterFor('staff')], [null, staff.userId]);
  });

  it('is refused to clients, other partners and other scopes', async () => {
    await service.assertRefused('GET', '/invitations', { clientUser: 'role_forbidden' });
    await service.assertRefused('GET', `/invitations?partnerId=${service.world.partnerId}`, {
      owner: 'scope_forbidden',
      moderator: 'scope_forbidden',
    });
    assert.equal((await service.call('GET', '/invitations?limit=1000', { as: 'owner' })).body.code, 'invalid_query');
    const { body } = await inviteTeam('theirs@portal.test');
    for (const action of ['resend', 'revoke']) {
      const refused = {
        rivalOwner: 'not_found',
        moderator: 'partner_role_forbidden',
        clientUser: 'role_forbidden',
        staff: 'role_forbidden',
      };
      await service.assertRefused('POST', `/invitations/${body.id}/${action}`, refused);
    }
  });
});

describe('an invitation whose mail is being sent', () => {
  const ACTS = {
    revoked: ({ id }: { id: string }) => service.call('POST', `/invitations/${id}/revoke`, { as: 'owner' }),
    'sent again': ({ id }: { id: string }) => service.call('POST', `/invitations/${id}/resend`, { as: 'owner' }),
    accepted: ({ acceptUrl }: { acceptUrl: string }) => accept(tokenOf(acceptUrl)),
  };
  for (const [what, act] of Object.entries(ACTS)) {
    it(`is ${what} afterwards, without a deadlock`, async () => {
      const { body } = await inviteTeam(`sending-${what.replace(' ', '-')}@portal.test`);
      const held = Promise.withResolvers<undefined>();
      const goOn = Promise.withResolvers<undefined>();
      // The sender locks the mail first, then its invitation.
      const sending = service.db.asSystem('mail', async (tx) => {
        await tx.updateTable('mail').set({ attempts: 1 }).where('invitationId', '=', body.id).execute();
        held.resolve(undefined);
        await goOn.promise;
        await tx.updateTable('invitation').set({ emailStatus: 'sent' }).where('id', '=', body.id).execute();
      });
      await held.promise;
      const acting = act(body);
      await until('the request waits for the sender', async () => (await countLockWaits(service.database)) > 0);
      goOn.resolve(undefined);
      await sending;
      const { status, text } = await acting;
      assert.ok(status === 200 || status === 201, text);
    });
  }
});

describe('an invitation to someone with an account at another agency', () => {
  it('answers the same for a user of another agency as for an unknown address, by the same steps', async () => {
    const seen: unknown[] = [];
    for (const email of ['unknown@elsewhere.test', 'rivalowner@portal.test', 'staff@portal.test']) {
      let reply: TestReply | undefined;
      const statements = await service.countStatements(async () => (reply = await inviteClientUser(email)));
      const { id: _id, acceptUrl: _url, email: _email, sentAt: _sent, expiresAt: _expires, ...rest } = reply?.body ?? {};
      seen.push(JSON.stringify([statements, reply?.status, rest]));
      const again = await service.call('POST', `/invitations/${reply?.body.id}/resend`, { as: 'owner', body: {} });
      assert.deepEqual([again.status, again.body.emailStatus], [200, 'not_configured']);
      const token = tokenOf(again.body.acceptUrl);
      const shown = await service.call('GET', `/invitations/token/${token}`);
      assert.deepEqual([shown.status, shown.body.email, Object.keys(shown.body).includes('hasAccount')], [200, email, false]);
      // A password that is refused creates nothing and must tell nothing.
      assert.equal((await accept(token, { password: 'short' })).body.code, 'weak_password');
    }
    assert.equal(new Set(seen).size, 1, seen.join('\n'));
  });

  it('tells the person by mail and when they accept', async () => {
    const { body } = await inviteClientUser('otherclientuser@portal.test', 'rivalOwner');
    const [mail] = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('mail')
        .select('id')
        .where('toAddress', '=', 'otherclientuser@portal.test')
        .where('partnerId', '=', service.world.rivalPartnerId)
        .execute(),
    );
    const read = await service.call('GET', `/provisioning/mail/${mail?.id}`, { as: 'staff' });
    assert.match(read.body.text, /Your address already has an account elsewhere/);
    const fresh = (await inviteClientUser('fresh-one@elsewhere.test', 'rivalOwner')).body;
    const [plain] = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('mail').select('id').where('toAddress', '=', 'fresh-one@elsewhere.test').execute(),
    );
    assert.doesNotMatch(
      (await service.call('GET', `/provisioning/mail/${plain?.id}`, { as: 'staff' })).body.text,
      /already has an account/,
    );
    const refused = await accept(tokenOf(body.acceptUrl));
    assert.deepEqual([refused.status, refused.body.code], [409, 'email_in_use']);
    assert.match(refused.body.detail, /already has an account. Log in with it, or ask for an invitation to another address/);
    assert.equal((await usersOf('otherclientuser@portal.test')).length, 1);
    assert.equal((await accept(tokenOf(fresh.acceptUrl))).status, 201);
  });
});
