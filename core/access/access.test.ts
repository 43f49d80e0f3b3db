import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routes } from '@partner-portal/contract/index.ts';
import * as access from './access.ts';

const PERMISSIONS = Object.keys(access.PERMISSIONS) as access.Permission[]; // the keys of an object of constants
const can = (subject: access.AccessSubject, permission: access.Permission) => access.can(routes, subject, permission);
const permissionsOf = (subject: access.AccessSubject) => access.permissionsOf(routes, subject);

const admin = { role: 'PARTNER', partnerRole: 'admin' } as const;
const moderator = { role: 'PARTNER', partnerRole: 'moderator' } as const;
const client = { role: 'CLIENT', partnerRole: null } as const;
const staff = { role: 'ADMIN', partnerRole: null } as const;

const STAFF_HAS =
  'account.manage agents.view agents.create agents.manage agents.trigger alerts.view alerts.manage automation.view automation.manage chatbot.view chatbot.manage clients.view clients.manage credentials.view deliveries.view engine.view inbox.view ingest.view invitations.view partners.view partners.manage requests.view requests.decide runs.view runs.payloads runs.rerun usage.view users.view users.manage';
const ADMIN_HAS =
  'account.manage agency.view agency.manage agents.view agents.manage agents.pause agents.trigger alerts.view alerts.manage automation.view chatbot.view chatbot.manage clients.view clients.create clients.manage credentials.view credentials.manage inbox.view inbox.reply ingest.view invitations.view invitations.manage requests.view requests.create sample-data.remove runs.view runs.payloads runs.rerun sso.view sso.manage stop-list.manage team.view team.manage usage.view webhooks.view webhooks.manage';
const CLIENT_HAS =
  'account.manage agents.view agents.pause agents.trigger chatbot.view credentials.view credentials.manage inbox.view inbox.reply profile.manage requests.view requests.create runs.view stop-list.manage usage.view';

describe('access', () => {
  it('lets a moderator view exactly what an admin views, and change nothing', () => {
    for (const permission of PERMISSIONS) {
      const reads = permission.endsWith('.view') || permission === 'runs.payloads';
      const byAdmin = can(admin, permission);
      if (!byAdmin.allowed) assert.deepEqual(can(moderator, permission), byAdmin);
      else if (reads) assert.deepEqual(can(moderator, permission), { allowed: true });
      else assert.deepEqual(can(moderator, permission), { allowed: false, code: 'partner_role_forbidden' });
    }
  });

  it('treats a partner user without a permission as a moderator', () => {
    assert.deepEqual(can({ role: 'PARTNER', partnerRole: null }, 'clients.manage'), { allowed: false, code: 'partner_role_forbidden' });
  });

  it('keeps staff work, other businesses and the ingest URL from clients', () => {
    for (const permission of [
      'partners.view',
      'alerts.view',
      'clients.view',
      'ingest.view',
      'automation.view',
      'runs.payloads',
      'users.view',
    ] as const) {
      assert.deepEqual(can(client, permission), { allowed: false, code: 'role_forbidden' });
    }
    assert.equal(can(client, 'agents.trigger').allowed, true);
    assert.equal(can(client, 'credentials.manage').allowed, true);
  });

  it('lets staff list credentials and only their owners write them', () => {
    assert.equal(can(staff, 'credentials.view').allowed, true);
    assert.deepEqual(can(staff, 'credentials.manage'), { allowed: false, code: 'role_forbidden' });
  });

  it('lets partner admins change webhooks, moderators view them, and staff view those of all partners', () => {
    assert.equal(can(admin, 'webhooks.manage').allowed, true);
    assert.equal(can(moderator, 'webhooks.view').allowed, true);
    assert.deepEqual(can(moderator, 'webhooks.manage'), { allowed: false, code: 'partner_role_forbidden' });
    assert.deepEqual(can(client, 'webhooks.view'), { allowed: false, code: 'role_forbidden' });
    assert.equal(can(staff, 'deliveries.view').allowed, true);
    assert.deepEqual(can(staff, 'webhooks.manage'), { allowed: false, code: 'role_forbidden' });
    assert.deepEqual(can(admin, 'deliveries.view'), { allowed: false, code: 'role_forbidden' });
  });

  it('lets only partner admins change team and single sign-on, and neither staff nor clients view them', () => {
    for (const permission of ['team.manage', 'sso.manage'] as const) {
      assert.equal(can(admin, permission).allowed, true);
      assert.deepEqual(can(moderator, permission), { allowed: false, code: 'partner_role_forbidden' });
      assert.deepEqual(can(staff, permission), { allowed: false, code: 'role_forbidden' });
      assert.deepEqual(can(client, permission), { allowed: false, code: 'role_forbidden' });
    }
    assert.equal(can(moderator, 'team.view').allowed && can(moderator, 'sso.view').allowed, true);
  });

  it('lets a read-only session view and nothing else', () => {
    for (const permission of permissionsOf({ ...admin, readOnly: true })) {
      assert.ok(permission.endsWith('.view') || permission === 'runs.payloads', permission);
    }
    assert.deepEqual(can({ ...admin, readOnly: true }, 'clients.manage'), { allowed: false, code: 'view_as_read_only' });
  });

  it('gives each kind of user these permissions and no other', () => {
    const names = (subject: access.AccessSubject): string => permissionsOf(subject).join(' ');
    assert.equal(names(staff), STAFF_HAS);
    assert.equal(names(admin), ADMIN_HAS);
    assert.equal(names(client), CLIENT_HAS);
  });

  it('agrees with the route of each permission, for every kind of caller', () => {
    for (const subject of [admin, moderator, client, staff, { ...admin, readOnly: true }, { ...client, readOnly: true }])
      for (const [permission, route] of Object.entries(access.PERMISSIONS)) {
        const code = access.refusedCall(routes[route], subject);
        assert.deepEqual(can(subject, permission as access.Permission), code === null ? { allowed: true } : { allowed: false, code });
        const reads = permission.endsWith('.view') || permission === 'runs.payloads';
        assert.equal(
          routes[route].method === 'GET' && !(routes[route].access.kind === 'session' && routes[route].access.write),
          reads,
          permission,
        );
      }
  });

  it('lists a subset of the permissions for every kind of caller', () => {
    for (const who of [admin, moderator, client, staff]) {
      const all = permissionsOf(who);
      assert.ok(all.length > 0 && all.length < PERMISSIONS.length);
      assert.equal(new Set(all).size, all.length);
    }
  });
});
