import { readFile } from 'node:fs/promises';
import { addMonths, monthOf } from '@partner-portal/core/report/month.ts';
import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import type { System } from '../harness/system.ts';
import { test } from './pages.ts';
import { type Api, expect, expectGood, expectLoaded } from './portal.ts';

/** Twelve results of one agent in the month before this one, all at one hour; returns the client. */
async function addLastMonth(system: System, api: Api): Promise<string> {
  const { id, name } = await ownClient(api);
  await system.query("update client set created_at = now() - interval '4 months' where id = $1", [id]);
  await system.query(
    `insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, failed, contacted, helped)
     select w.partner_id, w.id, w.client_id, (date_trunc('month', now() at time zone c.timezone) - interval '10 days' + interval '9 hours') at time zone c.timezone, 12, 1, 12, 12
     from workflow w join client c on c.id = w.client_id where w.client_id = $1 order by w.id limit 1 on conflict do nothing`,
    [id],
  );
  expect(name).toBe('Oak Street Dental');
  return id;
}

async function ownClient(api: Api) {
  const { data } = await api.owner.listClients({ query: {} });
  const client = data.find(({ name }) => name === 'Oak Street Dental');
  if (!client) throw new Error('the seeded client is missing');
  return client;
}

/** The month before this one where the client is: it may begin hours after that of the machine. */
const lastMonth = (style: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', { ...style, timeZone: 'UTC' }).format(
    new Date(`${addMonths(monthOf(new Date(), 'America/Chicago'), -1)}-01T00:00:00Z`),
  );

test('a client reads the month on a phone, takes it along, and chooses to get it by mail', async ({ as, page, api, system }) => {
  await addLastMonth(system, api);
  await page.setViewportSize({ width: 390, height: 844 });
  await as('client', '/client/report');
  await expectLoaded(page);
  const month = lastMonth({ month: 'long' });
  await expect(
    page.getByRole('heading', { level: 2, name: `In ${month} the agents delivered 12 results and saved about 1 hour.` }),
  ).toBeVisible();
  await expectGood(page);

  await page.getByRole('button', { name: /^Show as table: Results and hours saved/ }).click();
  const table = page.getByRole('table', { name: /^Results and hours saved/ });
  await expect(table.getByRole('row', { name: new RegExp(lastMonth({ month: 'long', year: 'numeric' })) })).toContainText('12');
  await page.getByRole('img', { name: 'Tasks by weekday and hour' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('status').filter({ hasText: 'Monday' })).toContainText('0 tasks');

  const csv = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect((await csv).suggestedFilename()).toMatch(/^oak-street-dental-\d{4}-\d\d\.csv$/);
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('.pdf'));
  const pdf = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PDF' }).click();
  await page.getByRole('menuitem', { name: 'US Letter' }).click();
  const bytes = await readFile(await (await pdf).path());
  expect(bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-');
  expect(bytes.equals(await (await answered).body()), 'the file as it was sent').toBe(true);

  const byMail = page.getByRole('switch', { name: 'Get it by e-mail' });
  await byMail.click();
  await expect(page.locator('.toasts').getByText('E-mail is not set up here, so none is sent.')).toBeVisible();
  await page.reload();
  await expect(byMail).toHaveAttribute('aria-checked', 'true');
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  // A client has no list of keys in which letters can be turned off: they do nothing.
  await page.keyboard.press('k');
  await expect(page).not.toHaveURL(/month=/);
  await page.getByRole('button', { name: 'Month after' }).click();
  await expect(page).toHaveURL(/month=\d{4}-\d\d/);
  await expect(page.getByText('The month is not over.')).toBeVisible();
});

test('an admin sees the mail and how many get it before it is sent; a moderator sees whom to ask', async ({
  as,
  page,
  api,
  system,
  complaints,
}) => {
  const id = await addLastMonth(system, api);
  await as('owner', `/dashboard/clients/${id}?tab=report`);
  await expectLoaded(page);
  const own = page.getByRole('switch', { name: `${DEMO.owner.fullName}: report by e-mail` });
  await expect(own).toBeVisible();
  if ((await own.getAttribute('aria-checked')) === 'false') await own.click();
  await expect(page.getByText(`${DEMO.owner.fullName} gets the report once e-mail is set up.`)).toBeVisible();
  await page.getByRole('button', { name: 'Preview and send' }).click();
  const dialog = page.getByRole('dialog', { name: `Send the report of ${lastMonth({ month: 'long', year: 'numeric' })}` });
  const mail = page.frameLocator('iframe[title="Preview of the e-mail"]');
  await expect(mail.getByRole('heading', { level: 1 })).toBeVisible();
  // Its styles are in its elements, which only this frame allows; the frame has no origin, so it reads nothing of the portal.
  expect(await mail.locator('[style*="background"]').first().evaluate('(cell) => getComputedStyle(cell).backgroundColor')).not.toBe(
    'rgba(0, 0, 0, 0)',
  );
  expect(await mail.locator('body').evaluate('origin')).toBe('null');
  for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck();
  await expect(dialog.getByRole('button', { name: 'Choose who gets it' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('checkbox', { name: DEMO.owner.email }).check();
  await dialog.getByRole('button', { name: 'Send to 1 person' }).click();
  await expect(page.getByText('No e-mail was sent. E-mail is not set up, so send the PDF yourself.')).toBeVisible();
  await page.getByRole('button', { name: 'Preview and send' }).click();
  await expect(dialog.getByRole('checkbox', { name: DEMO.owner.email })).toBeVisible();
  await expect(dialog.getByText('will get it again')).toHaveCount(0);

  await as('moderator', `/dashboard/clients/${id}?tab=report`);
  const send = page.getByRole('button', { name: 'Preview and send' });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await send.focus();
  await expect(page.getByRole('tooltip').filter({ hasText: `Ask an admin of your agency: ${DEMO.owner.fullName}.` })).toBeVisible();
  await expect(page.getByRole('switch', { name: `${DEMO.owner.fullName}: report by e-mail` })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('switch', { name: `${DEMO.moderator.fullName}: report by e-mail` }).click();
  await expect(page.getByText(`${DEMO.moderator.fullName} gets the report once e-mail is set up.`)).toBeVisible();
  // The test's own scripts are refused in the preview, as any script of a mail is.
  complaints.all = complaints.all.filter((text) => !text.startsWith("Blocked script execution in 'about:srcdoc'"));
});
