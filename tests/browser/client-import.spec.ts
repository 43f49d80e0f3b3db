import { readFileSync } from 'node:fs';
import { newAgency } from './agency.ts';
import { test } from './pages.ts';
import { expect, expectAccessible, expectGood, logIn } from './portal.ts';

const TABLE = [
  'Firma;Mail;Farbe;Kundennummer',
  'Birch Road Garage;ann@birch.example;red;c-1',
  'Cedar Vet;no mail;blue;c-2',
  ...Array.from({ length: 3 }, (_, n) => `Shop ${n};;green;s-${n}`),
].join('\r\n');

test('a file becomes clients: its columns, every row before it is written, the import and its undo', async ({
  page,
  api,
  address,
  complaints: _watched,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  await page.goto('/login?next=/dashboard/clients');
  await logIn(page, agency.owner.email);
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Import clients' })).toBeVisible();

  const picker = page.getByLabel('File of clients');
  await picker.setInputFiles({ name: 'book.csv', mimeType: 'text/csv', buffer: Buffer.from('PK\u0003\u0004 a workbook') });
  await expect(page.getByText('This is a workbook.')).toBeVisible();
  await picker.setInputFiles({ name: 'kunden.csv', mimeType: 'text/csv', buffer: Buffer.from(TABLE, 'latin1') });

  // The columns are recognised; one is chosen by hand, with the keyboard.
  await expect(page.getByRole('heading', { name: 'What the columns hold' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Separator' })).toHaveText('Semicolon');
  await expect(page.getByRole('button', { name: 'Field of the column Firma' })).toHaveText('Name');
  const colour = page.getByRole('button', { name: 'Field of the column Farbe' });
  await expect(colour).toHaveText('Ignored');
  await colour.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: /Search/ })).toBeFocused();
  await page.keyboard.type('Note');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(colour).toHaveText('Notes');
  await expectGood(page);

  // Nothing is written yet; the bad cell is marked.
  await page.getByRole('button', { name: 'Check every row' }).click();
  await expect(page.getByRole('heading', { name: 'What will happen' })).toBeFocused();
  const rows = page.getByRole('table', { name: 'Rows of the file' }).locator('tbody tr');
  await expect(rows).toHaveCount(1);
  await expect(rows.first().locator('mark').filter({ visible: true })).toHaveText('no mail');
  await expect(rows.first()).toContainText('Enter an e-mail address');
  await expectAccessible(page, 'light');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download refused rows' }).click();
  const saved = readFileSync(await (await saving).path(), 'utf8');
  expect(saved).toContain('Firma;Mail;Farbe;Kundennummer;Reason\r\nCedar Vet;no mail;blue;c-2;Enter an e-mail');
  await page.getByRole('radio', { name: 'All rows', exact: true }).click();
  await expect(rows).toHaveCount(5);
  const run = page.getByRole('button', { name: 'Import 4 clients' });
  await expect(run).toHaveAttribute('aria-disabled', 'true');
  expect((await agency.api.listClients()).data).toHaveLength(0);

  await page.getByRole('radio', { name: /Valid rows only/ }).check();
  await expect(run).not.toHaveAttribute('aria-disabled', 'true');
  await run.click();
  await expect(page.getByRole('heading', { name: 'Import of kunden.csv' })).toBeVisible();
  await expect(page.getByText('4 clients were imported.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Birch Road Garage' })).toBeVisible();
  const { data } = await agency.api.listClients();
  expect(new Map(data.map(({ name, notes }) => [name, notes]))).toEqual(
    new Map([
      ['Birch Road Garage', 'red'],
      ['Shop 0', 'green'],
      ['Shop 1', 'green'],
      ['Shop 2', 'green'],
    ]),
  );
  await expectGood(page);
  await page.setViewportSize({ width: 1280, height: 720 });

  // What someone changed since stays.
  const birch = data.find(({ name }) => name === 'Birch Road Garage');
  await agency.api.updateClient({ params: { id: birch?.id ?? '' }, body: { phone: '1' } });
  await page.getByRole('button', { name: 'Undo import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo this import?' });
  await expect(dialog.getByRole('button', { name: 'Keep the clients' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByText('3 clients removed again, 1 kept, each with the reason below.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Birch Road Garage/ })).toContainText('This client has since been changed.');
  expect((await agency.api.listClients()).data.map(({ name }) => name)).toEqual(['Birch Road Garage']);

  // The next table is pasted.
  await page.getByRole('link', { name: 'Import another file' }).click();
  await expect(page.getByRole('link', { name: 'kunden.csv' })).toBeVisible();
  await page.getByLabel('Or paste a table').fill('Name\tE-mail\nCedar Vet\tdesk@cedar.example');
  await page.getByRole('button', { name: 'Use the pasted table' }).click();
  await expect(page.getByRole('button', { name: 'Separator' })).toHaveText('Tab');
  await page.getByRole('button', { name: 'Check every row' }).click();
  await expect(page.getByText('Your plan includes')).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 client', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Import of Pasted table' })).toBeVisible();
});

test('a large file shows how much of it is sent, then what is done with it', async ({ as }) => {
  const page = await as('owner', '/dashboard/clients/import');
  const rows = Array.from({ length: 5_000 }, (_, n) => `Shop ${n},${'x'.repeat(300)}`);
  await page
    .getByLabel('File of clients')
    .setInputFiles({ name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.from(`Name,Notes\n${rows.join('\n')}`) });
  await expect(page.getByRole('heading', { name: 'What the columns hold' })).toBeFocused();
  // What the bar showed, however quickly it went by.
  await page.evaluate(`
    window.shown = [];
    new MutationObserver(() => {
      const bar = document.querySelector('[role=progressbar]');
      if (bar) window.shown.push(bar.ariaLabel, bar.parentElement.querySelector('p').textContent);
    }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
  `);
  const line = await page.context().newCDPSession(page);
  await line.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 600_000 });
  await page.getByRole('button', { name: 'Check every row' }).click();
  await expect(page.getByText('5,000 rows checked.')).toBeVisible();
  await line.detach();
  const shown = (await page.evaluate('window.shown')) as string[]; // made above
  const percents = shown.flatMap((text) => /^Uploading: (\d+)%$/.exec(text)?.[1] ?? []).map(Number);
  expect(shown).toContain('Uploading the file');
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  expect(percents.some((percent) => percent > 0 && percent < 100)).toBe(true);
  expect(shown.at(-1)).toBe('Checking 5,000 rows');
});
