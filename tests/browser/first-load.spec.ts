import { expect, logIn, PEOPLE, test } from './portal.ts';

test('the shape of a page is painted before any script or stylesheet has come', async ({ page, api: _ready }) => {
  // The held responses never arrive.
  await page.route(/\/assets\/.+\.(js|css)$/, () => undefined);
  for (const [path, shape] of [
    ['/login', 'login'],
    ['/dashboard/runs', 'work'],
    ['/client', 'client'],
    ['/invite/x', 'login'],
    ['/unsubscribe', 'login'],
    ['/confirm-newsletter', 'login'],
  ]) {
    await page.goto(path ?? '', { waitUntil: 'commit' });
    await expect(page.locator(`#boot [data-face="${shape}"]`)).toBeVisible();
    await expect(page.locator('#boot > :visible')).toHaveCount(1);
    // Icons are content, in any language.
    if (shape !== 'login') await expect.poll(() => page.evaluate(`performance.getEntriesByName('first-contentful-paint').length`)).toBe(1);
  }
});

test('the application form is shown before its script runs, and keeps text typed until then', async ({ page, address, complaints }) => {
  let held = Promise.withResolvers<void>();
  await page.route(/\/assets\/.+\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/signup?trial=true', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Apply for a workspace' })).toBeVisible();
  await page.getByLabel('Your name').click();
  await page.keyboard.type('Ana Ortiz');
  // Sends nothing yet, least of all in the address.
  await page.keyboard.press('Enter');
  await page.getByLabel('I accept the terms').click();
  expect(page.url()).toBe(`${address}/signup?trial=true`);
  held.resolve();
  await expect(page.getByRole('switch', { name: 'Start with a trial' })).toBeChecked();
  await expect(page.getByLabel('Your name')).toHaveValue('Ana Ortiz');
  await expect(page.getByLabel('I accept the terms')).toBeChecked();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Apply for a trial' }).click();
  await expect(page.getByRole('alert')).toContainText('2 fields need attention.');
  // Stored input of the tab appears once the script runs, together with the newly typed text.
  held = Promise.withResolvers();
  await page.reload({ waitUntil: 'commit' });
  await page.getByLabel('Agency', { exact: true }).click();
  await page.keyboard.type('Brightline');
  await expect(page.getByLabel('Your name')).toHaveValue('');
  held.resolve();
  await expect(page.getByLabel('Your name')).toHaveValue('Ana Ortiz');
  await expect(page.getByLabel('Agency', { exact: true })).toHaveValue('Brightline');
  await expect(page.getByLabel('I accept the terms')).toBeChecked();
  expect(complaints.all).toEqual([]);
});

for (const [person, path] of [
  ['owner', '/dashboard/runs'],
  ['client', '/client'],
] as const)
  test(`no frame is empty between the shape of ${path} and the page`, async ({ page, as }) => {
    await page.addInitScript(`
    window.frames = [];
    const look = () => {
      const root = document.getElementById('root');
      if (root) frames.push(root.getBoundingClientRect().height > 100);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  `);
    await as(person, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
    expect(await page.evaluate('frames.slice(frames.indexOf(true)).filter((isFilled) => !isFilled).length')).toBe(0);
  });

test('a page whose script does not arrive is reloaded once, then says so and offers to try again', async ({ page, api: _ready }) => {
  const documents: string[] = [];
  page.on('request', (request) => void (request.isNavigationRequest() && documents.push(request.url())));
  await page.route(/\/assets\/pages-.+\.js$/, (route) => route.abort());
  await page.goto('/dashboard/runs');
  await expect(page.getByRole('alert')).toHaveText('The page could not be loaded.');
  expect(documents).toHaveLength(2);
  await page.unroute(/\/assets\/pages-.+\.js$/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
});

test('a right password shows the shape of the next page while its scripts load', async ({ page, api: _ready }) => {
  const line = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let isSent = false;
  // Preloads fail; requests made after the password was sent are slow.
  await page.route('**/auth/login', (route) => {
    isSent = true;
    return route.continue();
  });
  await page.route(/\/assets\/pages-.+\.js$/, (route) => {
    if (!isSent) return route.abort();
    asked.resolve();
    return line.promise.then(() => route.continue());
  });
  await page.goto('/login');
  await logIn(page, PEOPLE.owner.email);
  // A browser that does not ask again for a script that failed has reloaded the page by then.
  await asked.promise;
  await expect(page.locator('.boot[data-face="work"]')).toBeVisible();
  await page.evaluate(`
    window.others = 0;
    new MutationObserver(() => (others += [...document.querySelectorAll('.boot[data-face="login"]')].filter((shape) => shape.checkVisibility()).length)).observe(document, { childList: true, subtree: true });
  `);
  line.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  expect(await page.evaluate('others'), 'the shape of the login').toBe(0);
});

test('the first page after the login is opened in the same document', async ({ page, complaints: _watched }) => {
  await page.goto('/login');
  await page.evaluate('window.isSame = true');
  await logIn(page, PEOPLE.owner.email);
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  expect(await page.evaluate('window.isSame')).toBe(true);
});

test('a reload restores the scroll position', async ({ page, as }) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  await as('owner', '/dashboard');
  await expect(page.getByRole('heading', { name: 'Latest runs' })).toBeVisible();
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, 400);
  await expect.poll(() => page.evaluate('scrollY')).toBe(400);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Latest runs' })).toBeVisible();
  await expect.poll(() => page.evaluate('scrollY')).toBe(400);
});
