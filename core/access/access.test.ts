import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { can, PERMISSIONS, permissionsOf } from './access.ts';

const admin = { role: 'PARTNER', partnerRole: 'admin' } as const;
const moderator = { role: 'PARTNER', partnerRole: 'moderator' } as const;
const client = { role: 'CLIENT', partnerRole: null } as const;
const staff = { role: 'ADMIN', partnerRole: null } as const;

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

  it('lists a subset of the permissions for every kind of caller', () => {
    for (const who of [admin, moderator, client, staff]) {
      const all = permissionsOf(who);
      assert.ok(all.length > 0 && all.length < PERMISSIONS.length);
      assert.equal(new Set(all).size, all.length);
    }
  });
});
