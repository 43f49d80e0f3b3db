import { startSamlShapes } from '../harness/saml-shapes.ts';
import { newAgency } from './agency.ts';
import { expect, expectGood, logIn, logOut, test } from './portal.ts';

const HERE = '/dashboard/settings/sso';

test('an agency connects a SAML provider, reads in the test login what to change, and its people log in by a click on the tile', async ({
  page,
  api,
  address,
  complaints: _watched,
}) => {
  test.setTimeout(600_000);
  const agency = await newAgency(page, address, api.staff, { hasSso: true });
  const own = `${address}/sso/${agency.slug}`;
  const provider = await startSamlShapes({ entityId: `${own}/metadata`, acsUrl: `${own}/acs` });
  /** Headings of results whose look was checked. */
  const seen = new Set<string>();
  /** Runs a test login to its end in the other tab. */
  const runTest = async (heading: string): Promise<void> => {
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Run a test login' }).click();
    const tab = await opened;
    await tab.waitForURL((url) => url.pathname === '/login/callback');
    await expect(tab.getByRole('heading', { name: heading })).toBeVisible();
    if (!seen.has(heading)) await expectGood(tab);
    seen.add(heading);
    await tab.close();
  };
  try {
    await page.goto(`/login?next=${HERE}`);
    await logIn(page, agency.owner.email);
    await page.waitForURL((url) => url.pathname === HERE);
    await page.getByLabel('Provider: ').click();
    await page.getByRole('option', { name: 'LemonLDAP::NG' }).click();
    await expect(page.getByText('we have not set it up ourselves')).toBeVisible();
    await page.getByText('What it sends, and what we expect').click();
    await expect(page.getByText('the attribute “mail” counts first')).toBeVisible();
    await page.getByRole('textbox', { name: 'Metadata URL' }).fill(provider.metadataUrl);
    await page.getByLabel('E-mail domains').fill(`${agency.slug}.example`);
    await page.keyboard.press('Enter');
    await page.getByLabel('Accept signatures with SHA-1').check();
    await expect(page.getByText('Signatures with SHA-1 can be forged')).toBeVisible();
    await page.getByLabel('Accept signatures with SHA-1').uncheck();
    await expectGood(page);
    await page.getByRole('button', { name: 'Save connection' }).click();
    await expect(page.getByText('Draft', { exact: true })).toBeVisible();
    await expect(page.getByText('Requests are not signed: your provider does not ask for it.')).toBeVisible();

    // Everything is wrong at first, one thing after the other; each failure names it.
    provider.signIn(agency.owner.email, { signs: 'response', algorithm: 'rsa-sha1', digest: 'sha1' });
    await runTest('Test login failed');
    await expect(page.getByRole('alert')).toContainText('SHA-1 can be forged: choose SHA-256 at your provider');
    provider.signIn(agency.owner.email, { refusal: { codes: ['Responder', 'RequestDenied'], message: 'Not assigned.' } });
    await runTest('Test login failed');
    await expect(page.getByRole('alert')).toContainText('Your provider wrote: Responder › RequestDenied: Not assigned.');
    provider.signIn(agency.owner.email, { nameId: { text: 'k8' }, attributes: { uid: ['olive'] } });
    await runTest('Test login failed');
    await expect(page.getByRole('alert')).toContainText('Your provider did not send an e-mail address.');
    await expect(page.getByText('olive', { exact: true })).toBeVisible();
    // Where the bar at the top covers no half of a button.
    await page.evaluate(() => scrollTo(0, 0));
    await expectGood(page);

    // It changed its key meanwhile, and signs the response instead of the assertion.
    provider.publish({ keys: ['ec'] });
    provider.signIn(agency.owner.email, { signs: 'response', key: 'ec', nameId: null, attributes: { EmailAddress: [agency.owner.email] } });
    await page.getByRole('button', { name: 'Read again now' }).click();
    await expect(page.getByText('We read your provider’s metadata again.')).toBeVisible();
    await runTest('Test login successful');
    await expect(page.getByText('ecdsa-sha256, digest sha256, verified')).toBeVisible();
    await expect(page.getByText('Verified', { exact: true }).first()).toBeVisible();

    await page.getByRole('button', { name: 'Add a next key' }).click();
    await page.getByRole('button', { name: 'Use the next key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use the next key' }).click();
    await expect(page.getByRole('button', { name: 'Add a next key' })).toBeVisible();
    await expectGood(page);

    await logOut(page);
    await page.goto(provider.tileUrl);
    await page.waitForURL(`${address}/dashboard`);
    await logOut(page);
    // A person who is no member reads what to do, in a page of the portal.
    provider.signIn(`stranger@${agency.slug}.example`, { key: 'ec', signs: 'response' });
    await page.goto(provider.tileUrl);
    await expect(page.getByText('no member has that address')).toBeVisible();
    await expectGood(page);
  } finally {
    await provider.close();
  }
});
