import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { expect, expectLoaded, isFollowing, logIn, PASSWORD, stretchTimers, test } from './portal.ts';

/** How long a new tab waits for the session of another (portal/app/session-tabs.ts). */
const ANSWER_MS = 1_500;

test('a new tab is logged in, and logging out in one tab logs out of all tabs', async ({ page, context, api: _ready }) => {
  const patience = await stretchTimers(context, ANSWER_MS);
  await page.goto('/login');
  await page.getByLabel('E-mail').click();
  await page.keyboard.type(DEMO.owner.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await expectLoaded(page);

  // A link opened in a new tab, and an address typed into one.
  const opened = context.waitForEvent('page');
  await page
    .getByRole('link', { name: 'Runs', exact: true })
    .first()
    .click({ modifiers: ['ControlOrMeta'] });
  const second = await opened;
  await expect(second.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  const third = await context.newPage();
  await third.goto('/dashboard/settings/profile');
  await expect(third.getByLabel('Your name', { exact: true })).toHaveValue(DEMO.owner.fullName);
  // Unsaved input does not keep a page open after its session has ended.
  await third.getByLabel('Your name', { exact: true }).click();
  await third.keyboard.type(' the Second');

  // From here on no tab has a session to answer with.
  await patience.dispose();
  // However long the server takes, no tab brings the session back.
  const answer = Promise.withResolvers<void>();
  await second.route('**/auth/logout', (route) => answer.promise.then(() => route.continue()));
  await second.getByRole('button', { name: /account of/ }).click();
  await second.getByRole('menuitem', { name: 'Log out' }).click();
  for (const tab of [page, third]) await expect(tab.getByRole('button', { name: 'Log in' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  answer.resolve();
  for (const tab of [page, second, third]) {
    await expect(tab.getByRole('button', { name: 'Log in' })).toBeVisible();
    expect(new URL(tab.url()).pathname).toBe('/login');
  }
  const fourth = await context.newPage();
  await fourth.goto('/dashboard');
  await expect(fourth).toHaveURL(/\/login/);
});

test('a tab opened from a view-as session shares it; a tab opened from any other page has the person’s own session', async ({
  as,
  page,
  context,
}) => {
  await stretchTimers(context, ANSWER_MS);
  await as('owner', '/dashboard/clients');
  await page.getByRole('link', { name: 'Oak Street Dental' }).first().click();
  await page
    .getByRole('button', { name: /View as/ })
    .first()
    .click();
  await page.getByRole('dialog').getByLabel('Reason').click();
  await page.keyboard.type('To see what they see');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^View as/ })
    .click();
  await page.waitForURL((url) => url.pathname === '/client');

  const viewing = await context.newPage();
  await viewing.goto('/client/activity');
  await expect(viewing.getByRole('complementary', { name: 'View as' })).toBeVisible();
  const own = await context.newPage();
  await own.goto('/login?next=%2Fdashboard%2Fruns');
  await expect(own).toHaveURL(/\/dashboard\/runs$/);
  await expect(own.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  await expect(own.getByRole('complementary', { name: 'View as' })).toHaveCount(0);
});

test('a link of a mail and another person’s login are not answered with the session of another tab', async ({ as, page, context }) => {
  await as('owner', '/dashboard');
  await expectLoaded(page);
  const other = await context.newPage();
  await other.goto('/login?email=someone%40else.example&welcome=true');
  await expect(other.getByLabel('E-mail')).toHaveValue('someone@else.example');
  await logIn(other, DEMO.clientUser.email);
  await other.waitForURL((url) => url.pathname === '/client');
  await page.reload();
  await expect(page).toHaveURL(/\/dashboard/);
});

test('a session that the service has ended is not taken from a tab that has not noticed', async ({
  page,
  context,
  address,
  api: _ready,
}) => {
  const patience = await stretchTimers(context, ANSWER_MS);
  await page.goto('/login');
  await logIn(page, DEMO.moderator.email);
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await expectLoaded(page);
  const other = await context.newPage();
  await other.goto('/dashboard/runs');
  await expect(other.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  await patience.dispose();
  // The idle tab hears nothing from the service.
  await page.route('**/*', (route) => route.abort());
  const token: string = await other.evaluate('JSON.parse(sessionStorage.getItem("portal.session")).accessToken');
  const ended = await context.request.post(`${address}/auth/logout`, { headers: { authorization: `Bearer ${token}` } });
  expect(ended.ok()).toBe(true);
  const login = other.getByRole('button', { name: 'Log in' });
  // The tab notices at its next call: that of this click, or an earlier one of its own.
  await Promise.race([other.getByRole('link', { name: 'Agents', exact: true }).first().click(), login.waitFor()]);
  await expect(login).toBeVisible();
  await expect(other.getByText('Your session ended.')).toBeVisible();
  await other.reload();
  await expect(other.getByRole('button', { name: 'Log in' })).toBeVisible();
  expect(await page.evaluate('sessionStorage.getItem("portal.session") !== null'), 'the idle tab still has it').toBe(true);
});

test('five tabs that follow runs stand side by side: each keeps one of the connections that a browser opens', async ({
  as,
  page,
  context,
}) => {
  await stretchTimers(context, ANSWER_MS);
  await as('owner', '/dashboard');
  await expectLoaded(page);
  for (let tab = 2; tab <= 5; tab++) {
    const next = await context.newPage();
    const following = next.waitForResponse((response) => isFollowing(/\/executions\/stream/)(response.request()));
    await next.goto('/dashboard');
    await expect(next.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
    await following;
  }
});
