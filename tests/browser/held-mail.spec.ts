import { startSmtp, type TestSmtp } from '../harness/smtp.ts';
import { startSystem } from '../harness/system.ts';
import { newAgency } from './agency.ts';
import { expect, expectGood, logIn, PASSWORD, PEOPLE, test as base } from './portal.ts';

/** Mail to strangers that waits for staff, with a mail server and a low cap; and the notice that an invited address has an account elsewhere. */

const test = base.extend<object, { smtp: TestSmtp }>({
  smtp: [
    // oxlint-disable-next-line no-empty-pattern -- the library wants a pattern
    async ({}, use) => {
      const smtp = await startSmtp({ startTls: false });
      await use(smtp);
      await smtp.stop();
    },
    { scope: 'worker' },
  ],
  system: [
    async ({ smtp }, use) => {
      const system = await startSystem({
        args: [],
        env: {
          LOG_LEVEL: 'warn',
          SEED_ADMIN_EMAIL: PEOPLE.staff.email,
          SEED_ADMIN_PASSWORD: PASSWORD,
          SMTP_HOST: '127.0.0.1',
          SMTP_PORT: String(smtp.port),
          SMTP_FROM: 'no-reply@mail.example',
          SMTP_SECURITY: 'none',
          STRANGER_MAILS_PER_NETWORK: '1',
        },
      });
      await use(system);
      await system.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

test('a name that resembles a bank’s is in the work queue until staff approve it, by keyboard, which sends what waits', async ({
  page,
  api,
  address,
  smtp,
  complaints: _watched,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  const client = await agency.api.createClient({ body: { name: 'Oak Street Dental' } });
  await agency.api.updateMyPartner({ body: { name: `Wells Fargo Alerts ${agency.slug}` } });
  const email = `jo@${agency.slug}.example`;
  const invitation = await agency.api.createInvitation({ body: { kind: 'client_user', clientId: client.id, email } });
  expect(invitation.emailStatus).toBe('held');
  await page.goto('/login');
  await logIn(page, PEOPLE.staff.email);
  await page
    .getByRole('region', { name: 'Items' })
    .getByRole('link', { name: new RegExp(agency.slug) })
    .click();
  const open = page.getByRole('region', { name: 'The open item' });
  await expect(open.getByRole('heading', { level: 2 })).toHaveText(`Name of Wells Fargo Alerts ${agency.slug}`);
  await expect(open.getByText('1 mail', { exact: true })).toBeVisible();
  await expectGood(page);
  // The mail itself says why it waits.
  const held = (await api.staff.listMail({ query: { status: 'held' } })).data.find(({ to }) => to === email);
  await page.goto(`/admin/system?mail=${held?.id}`);
  await expect(page.getByText('It waits until the name of its sender is approved in the work queue.')).toBeVisible();
  await expectGood(page);
  await page.goto('/admin');
  await page
    .getByRole('region', { name: 'Items' })
    .getByRole('link', { name: new RegExp(agency.slug) })
    .click();
  await expect(open.getByRole('button', { name: /^Approve/ })).toBeVisible();
  await page.keyboard.press('a');
  await expectGood(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('is approved. 1 mail sent.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Items' }).getByRole('link', { name: new RegExp(agency.slug) })).toHaveCount(0);
  await expect.poll(() => smtp.received.filter(({ to }) => to === email).length).toBe(1);
});
