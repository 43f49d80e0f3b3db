import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RouteShape } from './define-route.ts';
import { routes } from './index.ts';

describe('routes that answer with a redirect', () => {
  it('are opened in browsers, so each names the page of its refusals', () => {
    const redirects = Object.entries<RouteShape>(routes).filter(([, { format }]) => format === 'redirect');
    assert.ok(redirects.length > 5);
    assert.deepEqual(
      redirects.filter(([, { refusedAt }]) => refusedAt === undefined).map(([name]) => name),
      [],
    );
  });
});
