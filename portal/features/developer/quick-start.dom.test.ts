import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, reads, screen } from '../../testing/portal.ts';

test('a reader who logged in by single sign-on learns that passwords of the team may be refused', async () => {
  for (const authMethod of ['oidc', 'password'] as const) {
    await open('owner', '/dashboard/developer', {}, {}, { authMethod });
    const main = await screen.findByRole('main');
    await reads(main, /Put the password in PORTAL_PASSWORD/);
    assert.equal(/login returns 403 sso_required/.test(main.textContent), authMethod === 'oidc');
  }
});
