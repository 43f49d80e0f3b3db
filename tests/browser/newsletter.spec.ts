import { test } from './pages.ts';
import { expect, expectGood, expectLoaded, type Api } from './portal.ts';

/** The link of the newest mail of this kind to an address; there is no mail server, so staff can read it. */
async function linkIn(api: Api, kind: 'newsletter_confirm' | 'newsletter_subscribed', to: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const mail = (await api.staff.listMail({ query: { kind } })).data.find((one) => one.to === to);
    link = mail && (await api.staff.getMail({ params: { id: mail.id } })).links[0];
    expect(link).toBeDefined();
  }).toPass({ timeout: 60_000 });
  return link ?? '';
}
/** The state of the newest subscriber with this address, or of the newest one who left. */
const statusOf = async (api: Api, email: string | null) => {
  const query = email === null ? { status: 'unsubscribed' as const } : { q: email };
  return (await api.staff.listSubscribers({ query })).data[0]?.status;
};

test('a reader subscribes by keyboard, confirms by the button of the page, and leaves by another', async ({
  page,
  as,
  api,
  complaints: _watched,
}) => {
  const email = `reader-${Date.now().toString(36)}@readers.example`;
  await page.goto('/');
  const field = page.getByRole('textbox', { name: 'E-mail address' });
  await expect(page.getByRole('heading', { name: 'Growth' })).toBeVisible();
  await field.focus();
  await page.keyboard.type('no address');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill('');
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  const sent = page.getByText('You are subscribed once you open it and confirm.');
  await expect(sent).toBeVisible();
  await expect(sent).toContainText(email);
  await expectGood(page);

  await page.goto(await linkIn(api, 'newsletter_confirm', email));
  await expect(page.getByRole('heading', { name: 'Confirm your subscription' })).toBeVisible();
  expect(await statusOf(api, email)).toBe('pending');
  await page.getByRole('button', { name: 'Confirm subscription' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'You are subscribed' })).toBeFocused();
  expect(await statusOf(api, email)).toBe('confirmed');

  await as('staff', `/admin/newsletter?q=${email}`);
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Confirmed');

  await page.goto(await linkIn(api, 'newsletter_subscribed', email));
  await expect(page).toHaveURL(/\/unsubscribe\?list=newsletter/);
  await expect(page.getByRole('heading', { name: 'Stop these e-mails?' })).toBeVisible();
  expect(await statusOf(api, email)).toBe('confirmed');
  await page.getByRole('button', { name: 'Stop these e-mails' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'You will get no more of these e-mails' })).toBeFocused();
  expect(await statusOf(api, email)).toBeUndefined();
  expect(await statusOf(api, null)).toBe('unsubscribed');
});

test('the first byte of the landing page says what the product is, and nothing moves when its script takes over', async ({
  page,
  address,
  complaints: _watched,
}) => {
  const html = await (await page.request.get('/')).text();
  expect(html).toContain('Agents for your clients, under your name</h1>');
  expect(html).toContain(`<link rel="canonical" href="${address}/" />`);
  expect(html).toMatch(/<meta name="description" content=".{60,}" \/>/);
  const image = await page.request.get(/og:image" content="([^"]+)"/.exec(html)?.[1] ?? '');
  expect(image.headers()['content-type']).toBe('image/png');
  expect(await (await page.request.get('/robots.txt')).text()).toContain(`Sitemap: ${address}/sitemap.xml`);

  await page.goto('/login');
  await expectLoaded(page);
  await page.goto('/');
  const heading = await page.getByRole('heading', { level: 1 }).elementHandle();
  await expect(page.getByRole('heading', { name: 'Growth' })).toBeVisible();
  expect(await heading?.evaluate((element) => element.isConnected)).toBe(true);
  const moved = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) =>
          resolve(list.getEntries().reduce((sum, entry) => sum + Number(Reflect.get(entry, 'value')), 0)),
        ).observe({
          type: 'layout-shift',
          buffered: true,
        });
        // No shift, no call; two frames are enough for buffered ones.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
      }),
  );
  expect(moved).toBeLessThan(0.02);
});

test('text typed into the landing page before its script runs is sent', async ({ page, api, complaints: _watched }) => {
  const email = `early-${Date.now().toString(36)}@readers.example`;
  const { promise: isTyped, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/landing-[^/]*\.js$/, async (route) => {
    await isTyped;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  const field = page.getByRole('textbox', { name: 'E-mail address' });
  await field.click();
  await page.keyboard.type(email);
  release();
  await expect(page.getByRole('heading', { name: 'Growth' })).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(email);
  await page.keyboard.press('Enter');
  await expect(page.getByText('You are subscribed once you open it and confirm.')).toContainText(email);
  expect(await statusOf(api, email)).toBe('pending');
});
