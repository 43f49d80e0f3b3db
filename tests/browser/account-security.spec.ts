import { createHash } from 'node:crypto';
import { hasZeroBits, workText } from '@partner-portal/core/people/proof-of-work.ts';
import type { Page, Route } from '@playwright/test';
import { answerChanged, expect, expectGood, logIn, PASSWORD, PEOPLE, test } from './portal.ts';

/** Answers the first call of a path as the service does when it refuses it. */
async function refuseOnce(page: Page, path: string, problem: { status: number; [member: string]: unknown }): Promise<Route[]> {
  const calls: Route[] = [];
  await page.route(`**${path}`, (route) => {
    calls.push(route);
    if (calls.length > 1) return route.continue();
    const body = { type: 'about:blank', title: 'Refused', detail: 'Refused.', instance: path, requestId: 'r', ...problem };
    return route.fulfill({ status: problem.status, contentType: 'application/problem+json', body: JSON.stringify(body) });
  });
  return calls;
}

test('a login that is asked for a proof of work finds it by itself and goes on', async ({ page, api: _ready }) => {
  const challenge = 'a.challenge.of-the-service';
  const calls = await refuseOnce(page, '/auth/login', {
    status: 429,
    code: 'rate_limited',
    retryAfterSeconds: 900,
    proofOfWork: { challenge, bits: 12 },
  });
  await page.goto('/login');
  await logIn(page, PEOPLE.owner.email);
  await page.waitForURL((url) => url.pathname === '/dashboard');
  const sent = calls[1];
  if (!sent) throw new Error('The page sent no second login.');
  const { proofOfWork } = sent.request().postDataJSON() as { proofOfWork: { challenge: string; solution: string } }; // as the page sends it
  expect(proofOfWork.challenge).toBe(challenge);
  expect(hasZeroBits(createHash('sha256').update(workText(challenge, proofOfWork.solution)).digest(), 12)).toBe(true);
});

const ASKED = { status: 403, code: 'reauthentication_required' };

test('what protects the account asks for the password once the login is old, and goes on with it', async ({ as, page, complaints }) => {
  await as('client', '/client/settings');
  const calls = await refuseOnce(page, '/auth/mfa/setup', ASKED);
  const setUp = page.getByRole('button', { name: 'Set up' });
  await setUp.click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(dialog.getByLabel('Current password')).toBeFocused();
  await expectGood(page);
  await dialog.getByLabel('Current password').fill('not the password');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('The password is not correct.')).toBeVisible();
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
  expect(calls).toHaveLength(2);
  await page.getByRole('button', { name: 'Not now' }).click();
  complaints.all.splice(0); // what was refused on purpose
});

test('who does not enter the password reads why nothing changed, and can try again', async ({ as, page, complaints }) => {
  await as('owner', '/dashboard/settings/security');
  await refuseOnce(page, '/auth/mfa/setup', { ...ASKED, title: 'Confirm that it is you' });
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('dialog', { name: 'Confirm that it is you' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('alert')).toContainText('Confirm that it is you');
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
  complaints.all.splice(0); // what was refused on purpose
});

test('staff without two-step login see so on every page, and under System', async ({ as }) => {
  const page = await as('staff', '/admin/system');
  const notice = page.getByRole('complementary', { name: 'Two-step login' });
  await expect(notice).toBeVisible();
  await expect(page.getByText('can log in with a password alone')).toBeVisible();
  await expectGood(page);
  await notice.getByRole('link', { name: 'Set it up' }).click();
  await page.waitForURL((url) => url.pathname === '/admin/account');
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
});

test('staff who must set it up get nothing else to see', async ({ as, page }) => {
  await answerChanged(page, /\/auth\/me$/, (text) => text.replace('"mfaSetupRequired":false', '"mfaSetupRequired":true'));
  await as('staff', '/admin/partners');
  await expect(page.getByRole('heading', { level: 1, name: 'Set up two-step login' })).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
  await expectGood(page);
});

test('agencies and clients see no such notice', async ({ as }) => {
  const page = await as('owner', '/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Two-step login' })).toHaveCount(0);
});
