import { crc32, deflateSync } from 'node:zlib';
import { newAgency, newClientUser } from './agency.ts';
import { test } from './pages.ts';
import { expect, expectAccessible, expectGood, logIn } from './portal.ts';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of one colour. */
function png(width: number, height: number, [red, green, blue]: readonly [number, number, number]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x++) row.set([red, green, blue], 1 + x * 3);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const file = (name: string, buffer: Buffer, mimeType = 'image/png') => ({ name, mimeType, buffer });
const SHOWN_IN_BANNER = `(({ complete, naturalWidth }) => complete && naturalWidth > 0)(document.querySelector('header img'))`;
const SHOWN = `(({ complete, naturalWidth }) => complete && naturalWidth > 0)(document.querySelector('.rail img'))`;

test('a logo is cropped by keys and seen in the rail, by clients, in their tab and without images', async ({
  page,
  api,
  address,
  complaints: _watched,
  otherBrowser,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  const client = await newClientUser(page, agency, 'Birch Road Garage');
  await page.goto('/login?next=/dashboard/settings');
  await logIn(page, agency.owner.email);
  const picker = page.getByLabel('File of the logo');
  await picker.setInputFiles(file('notes.pdf', Buffer.from('%PDF-1.7'), 'application/pdf'));
  await expect(page.getByRole('alert')).toHaveText('Choose a PNG, JPG or WebP image.');
  await picker.setInputFiles(file('broken.png', Buffer.from('no image')));
  await expect(page.getByRole('alert')).toHaveText(/cannot be read as an image/);

  await picker.setInputFiles(file('our logo.png', png(400, 200, [31, 78, 140])));
  const dialog = page.getByRole('dialog', { name: 'Crop the logo' });
  const frame = dialog.locator('.ReactCrop__crop-selection');
  await expect(frame).toBeVisible();
  await expectAccessible(page, 'light');
  // From the right edge to the left: half of the image is left.
  const corner = dialog.locator('.ReactCrop__drag-handle.ord-e');
  await corner.focus();
  const before = await frame.boundingBox();
  for (let at = 0; at < 4; at++) await page.keyboard.press('Control+ArrowLeft');
  await expect.poll(async () => (await frame.boundingBox())?.width ?? 0).toBeLessThan((before?.width ?? 0) - 100);
  await dialog.getByLabel('Text in place of the logo').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Team, with a fox');
  await dialog.getByRole('button', { name: 'Save logo' }).click();
  await expect(dialog).toHaveCount(0);
  const inRail = page.getByRole('navigation', { name: 'Main' }).getByRole('img', { name: 'Team, with a fox' });
  await expect(inRail).toBeVisible();
  await expect.poll(() => page.evaluate(SHOWN)).toBe(true);
  const { logoMediaId } = await agency.api.getMyPartner();
  const stored = await agency.api.getMedia({ params: { id: logoMediaId ?? '' } });
  expect([stored.purpose, stored.altText, stored.height]).toEqual(['logo', 'Team, with a fox', 200]);
  expect(stored.width).toBeLessThan(400);
  await expectGood(page);

  const other = await otherBrowser();
  await other.goto('/login?next=/client');
  await logIn(other, client.email);
  await expect(other.getByRole('banner').getByRole('img', { name: 'Team, with a fox' })).toBeVisible();
  const icon = other.locator('link[rel="icon"]');
  await expect(icon).toHaveAttribute('href', /\/files\/[\w-]+\?size=icon$/);
  expect((await page.request.get((await icon.getAttribute('href')) ?? '')).headers()['content-type']).toMatch(/^image\//);

  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(inRail).toHaveCount(0);
  await other.reload();
  await expect(icon).toHaveAttribute('href', /^data:image\/svg/);
});

test('a person crops a picture to a circle; others see it where people are listed', async ({
  page,
  api,
  address,
  complaints: _watched,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  await page.goto('/login?next=/dashboard/settings/profile');
  await logIn(page, agency.owner.email);
  await expect(page.getByRole('button', { name: 'Upload picture' })).toBeVisible();
  await page.getByLabel('File of the picture').setInputFiles(file('me.png', png(300, 200, [180, 90, 60])));
  const dialog = page.getByRole('dialog', { name: 'Crop the picture' });
  await expect(dialog.locator('.ReactCrop--circular-crop')).toBeVisible();
  await expectAccessible(page, 'light');
  await dialog.getByRole('button', { name: 'Save picture' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: /account of/ }).locator('img')).toBeVisible();
  const { user } = await agency.api.getMe();
  expect(user.avatarUrl).toMatch(/^\/files\//);
  await page.getByRole('link', { name: 'Agency', exact: true }).click();
  await page.getByRole('link', { name: 'Team' }).click();
  await expect(page.getByRole('row').filter({ hasText: agency.owner.fullName }).locator('img')).toHaveAttribute('src', /\/files\//);
  await page.getByRole('link', { name: 'You', exact: true }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Upload picture' })).toBeVisible();
  await expect(page.getByRole('button', { name: /account of/ }).locator('img')).toHaveCount(0);
});

test('the logo stands on the sign-in page that names the agency, and on an invitation, without a session', async ({
  page,
  api,
  address,
  system,
  complaints: _watched,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: true });
  const form = new FormData();
  form.append('purpose', 'logo');
  form.append('altText', 'Team, with a fox');
  form.append('file', new Blob([new Uint8Array(png(300, 100, [31, 78, 140]))], { type: 'image/png' }), 'logo.png');
  const { id } = await agency.api.uploadMedia({ body: form });
  const { logoUrl } = await agency.api.updateMyPartner({ body: { logoMediaId: id } });
  await system.query(
    `insert into sso_connection (partner_id, protocol, status, email_domains, metadata_url)
      values ($1, 'saml', 'verified', '{}', 'https://idp.example.com/metadata')`,
    [agency.id],
  );
  const { acceptUrl } = await agency.api.createInvitation({ body: { kind: 'team', email: `nora@${agency.slug}.example` } });
  // The page leads to the provider at once; 204 keeps the browser on it.
  await page.route(/\/sso\/[^/]+\/start/, (route) => route.fulfill({ status: 204 }));
  for (const path of [`/login?sso=${agency.slug}`, new URL(acceptUrl).pathname]) {
    await page.goto(path);
    const banner = page.getByRole('banner');
    await expect(banner.getByText(agency.name)).toBeVisible();
    await expect(banner.locator('img')).toHaveAttribute('src', new RegExp(`^${logoUrl ?? 'no logo'}`));
    await expect.poll(() => page.evaluate(SHOWN_IN_BANNER)).toBe(true);
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', `${logoUrl}?size=icon`);
    await expectGood(page);
  }
});
