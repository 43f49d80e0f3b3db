import { test } from './pages.ts';
import { expectAccessible, expectLoaded, expectNoSidewaysScroll } from './portal.ts';

for (const path of [
  '/',
  '/login',
  '/signup',
  '/signup?trial=true',
  '/terms',
  '/privacy',
  '/status',
  '/confirm-newsletter',
  '/confirm-newsletter?token=t',
  '/unsubscribe',
  '/unsubscribe?list=newsletter&token=t',
  '/problems/quota_exceeded',
  '/problems/no-such-code',
  '/invite/no-such-link',
  '/login?sso=no%20name',
  '/login/callback?test=ok',
  '/login/callback?problem=no_member#email=somebody@example.com',
  '/login/no-such-page',
  '/nonsense',
]) {
  test(`${path}: accessible in both themes and fits a phone, without a session`, async ({ page, complaints }) => {
    await page.goto(path);
    await expectLoaded(page);
    await expectAccessible(page, 'light');
    await expectAccessible(page, 'dark', 'color');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    // An unknown invitation and an unknown address return 404, which browsers log.
    if (path.startsWith('/invite/') || path === '/nonsense') complaints.all = complaints.all.filter((line) => !line.includes('404'));
  });
}
