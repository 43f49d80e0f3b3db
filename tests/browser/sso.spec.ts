import type { Page } from '@playwright/test';
import { startOidcProvider, type TestOidc } from '../harness/oidc-provider.ts';
import { type NewAgency, newAgency } from './agency.ts';
import { expect, expectGood, logIn, logOut, stretchTimers, test } from './portal.ts';

const HERE = '/dashboard/settings/sso';
/** How long a log-out waits for the address at the provider (portal/app/sign-out.ts). */
const ADDRESS_MS = 3_000;

/** Types the connection of the test's provider and saves it. */
async function save(page: Page, provider: TestOidc, { slug }: NewAgency): Promise<void> {
  await page.getByLabel('Issuer').fill(provider.issuer);
  await page.getByLabel('Client ID').fill(provider.clientId);
  await page.getByLabel('Client secret').fill(provider.clientSecret);
  await page.getByLabel('E-mail domains').fill(`${slug}.example`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Remove ${slug}.example` })).toBeVisible();
  await page.getByRole('button', { name: 'Save connection' }).click();
  await expect(page.getByText('Draft', { exact: true })).toBeVisible();
}

/** Runs the test login; answers the tab in which it ended. */
async function runTest(page: Page, heading: string): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Run a test login' }).click();
  const tab = await opened;
  await tab.waitForURL((url) => url.pathname === '/login/callback');
  await expect(tab.getByRole('heading', { name: heading })).toBeVisible();
  return tab;
}

test('an agency connects its provider, tests it, signs in through it and then requires it', async ({ page, api, address, complaints }) => {
  test.setTimeout(600_000);
  const agency = await newAgency(page, address, api.staff, { hasSso: true });
  const provider = await startOidcProvider([`${address}/sso/${agency.slug}/callback`]);
  try {
    await page.goto(`/login?next=${HERE}`);
    await logIn(page, agency.owner.email);
    await page.waitForURL((url) => url.pathname === HERE);
    const enforce = page.getByRole('switch', { name: 'Require single sign-on' });
    await expect(enforce).toHaveAttribute('aria-disabled', 'true');
    await save(page, provider, agency);

    // An unknown member: reported in both tabs, and still a draft.
    provider.signIn({ email: `stranger@${agency.slug}.example`, email_verified: true, name: 'A Stranger' });
    const failed = await runTest(page, 'Test login failed');
    await expect(failed.getByText(`Your provider says you are stranger@${agency.slug}.example; no member has that address.`)).toBeVisible();
    await expect(failed).toHaveURL(`${address}/login/callback`);
    await expectGood(failed);
    await failed.close();
    await expect(page.getByRole('alert')).toContainText('no member has that address');
    await expect(page.getByText('Draft', { exact: true })).toBeVisible();

    provider.signIn({ email: agency.owner.email, email_verified: true, name: agency.owner.fullName });
    // A provider remembers who logged in last.
    await page.context().clearCookies({ name: /^_session|^_interaction/ });
    const tested = await runTest(page, 'Test login successful');
    await expect(tested.getByText('You can close this tab.')).toBeVisible();
    await tested.close();
    await expect(page.getByText('Test login successful.')).toBeVisible();
    await expect(page.getByText('Verified', { exact: true }).first()).toBeVisible();
    await expect(page.getByText(agency.owner.email).first()).toBeVisible();
    await enforce.focus();
    await expect(page.getByRole('tooltip').filter({ hasText: 'Log in through your provider yourself first.' })).toBeVisible();

    await page.getByRole('link', { name: 'Log in through it now' }).click();
    await page.waitForURL(`${address}${HERE}`);
    await expect(enforce).not.toHaveAttribute('aria-disabled', 'true');

    // A person who is no member fails to log in: the admin sees why.
    await expect(page.getByText('No login of your team has failed')).toBeVisible();
    provider.signIn({ email: `stranger@${agency.slug}.example`, email_verified: true, name: 'A Stranger' });
    const stranger = await page.context().browser()?.newContext();
    const theirs = await stranger?.newPage();
    await theirs?.goto(`${address}/sso/${agency.slug.toUpperCase()}/start`);
    await theirs?.waitForURL((url) => url.pathname === '/login/callback');
    await stranger?.close();
    provider.signIn({ email: agency.owner.email, email_verified: true, name: agency.owner.fullName });
    await page.reload();
    await page.getByText('what arrived').click();
    await expect(page.getByRole('listitem').filter({ hasText: 'no member has that address' })).toContainText('email_verified');
    await expectGood(page);

    await enforce.click();
    await expect(page.getByRole('dialog')).toContainText('Your whole team’s passwords stop working');
    await expect(page.getByRole('dialog')).toContainText('Every member of your team has logged in through your provider.');
    await page.getByRole('button', { name: 'Enforce single sign-on' }).click();
    await expect(enforce).toHaveAttribute('aria-checked', 'true');
    await expect(page.getByRole('button', { name: 'Change', exact: true })).toHaveAttribute('aria-disabled', 'true');

    await logOut(page);
    await logIn(page, agency.owner.email);
    await expect(page.getByRole('alert')).toContainText('Your agency logs in through its identity provider.');
    // The browser notes every refused request.
    complaints.all = complaints.all.filter((text) => !text.includes('403'));
    await page.getByRole('link', { name: 'Continue to your provider' }).click();
    await page.waitForURL(`${address}/dashboard`);

    await logOut(page);
    await page.getByRole('button', { name: 'Use single sign-on' }).click();
    await expect(page.getByLabel('Agency')).toHaveValue(agency.slug);
    await page.getByRole('button', { name: 'Continue to your provider' }).click();
    await page.waitForURL(`${address}/dashboard`);
  } finally {
    await provider.close();
  }

  // The provider is away and the team locked out: staff let passwords in again.
  await logOut(page);
  await page.goto(`/login?sso=${agency.slug}`);
  await expect(page.getByText('Your provider did not respond.')).toBeVisible();
  await page.getByRole('link', { name: 'Log in with a password' }).click();
  await logIn(page, 'admin@portal.example.com');
  await page.waitForURL((url) => url.pathname.startsWith('/admin'));
  await page.goto(`/admin/partners/${agency.id}`);
  await page.getByRole('button', { name: 'Release SSO enforcement' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Their provider is down');
  await page.getByRole('button', { name: 'Release enforcement' }).click();
  await expect(page.getByRole('button', { name: 'Release SSO enforcement' })).toHaveCount(0);
  await logOut(page);
  await logIn(page, agency.owner.email);
  await page.waitForURL(`${address}/dashboard`);
});

test('a person who logs out here is logged out at the provider, too', async ({ page, api, address, complaints: _watched }) => {
  test.setTimeout(300_000);
  await stretchTimers(page, ADDRESS_MS);
  const agency = await newAgency(page, address, api.staff, { hasSso: true });
  const provider = await startOidcProvider([`${address}/sso/${agency.slug}/callback`], [`${address}/sso/${agency.slug}/logout`]);
  try {
    await page.goto(`/login?next=${HERE}`);
    await logIn(page, agency.owner.email);
    await page.waitForURL((url) => url.pathname === HERE);
    await page.getByRole('checkbox', { name: /^Log out at the provider, too/ }).check();
    // Where the form begins: a button half under the header is too small for a finger, until it is scrolled to.
    await page.evaluate('scrollTo(0, 0)');
    await save(page, provider, agency);
    provider.signIn({ email: agency.owner.email, email_verified: true, name: agency.owner.fullName });
    await (await runTest(page, 'Test login successful')).close();
    await expect(page.getByText('here and at the provider')).toBeVisible();
    await page.getByText('Values for your provider').click();
    await expect(page.getByText(`${address}/sso/${agency.slug}/logout`)).toBeVisible();
    await page.getByRole('link', { name: 'Log in through it now' }).click();
    await page.waitForURL(`${address}${HERE}`);

    await page.getByRole('button', { name: /account of/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL((url) => url.origin === provider.issuer);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${address}/login`);
    await page.goto(HERE);
    await page.waitForURL((url) => url.pathname === '/login');
  } finally {
    await provider.close();
  }
});

test('a name that no agency has leads back to the password, and nothing stays in the address', async ({
  page,
  address,
  complaints: _watched,
}) => {
  await page.goto('/login?sso=unknown-agency');
  await expect(page.getByText('Single sign-on is not available here.')).toBeVisible();
  await expect(page).toHaveURL(`${address}/login/callback`);
  await expectGood(page);
  await page.getByRole('link', { name: 'Log in with a password' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await page.goto('/login?sso=No%20Such%20Name!');
  await expect(page.getByLabel('Agency')).toBeVisible();
  await page.getByLabel('Agency').fill('not a name!');
  await page.getByRole('button', { name: 'Continue to your provider' }).click();
  await expect(page.getByText('Use only lowercase letters, digits and hyphens')).toBeVisible();
});
