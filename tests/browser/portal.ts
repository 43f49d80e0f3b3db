import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { DEMO, type DemoClient, signIn } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { type BrowserContext, expect, type Page, type Request, type Route, test as base } from '@playwright/test';
import { type DnsServer, startDnsServer } from '../harness/dns-server.ts';
import { isFull } from '../harness/full.ts';
import { startSystem, type System } from '../harness/system.ts';
import { slowDown } from './slow.ts';

/** The password of every seeded user. */
export const PASSWORD = 'browser-tests-admin';

/** How long a login counts as recent. */
const RECENT_MS = LIMITS.recentLoginMinutes * 60_000;

export const PEOPLE = {
  staff: { email: 'admin@portal.example.com', home: '/admin' },
  owner: { email: DEMO.owner.email, home: '/dashboard' },
  moderator: { email: DEMO.moderator.email, home: '/dashboard' },
  client: { email: DEMO.clientUser.email, home: '/client' },
} as const;
export type Person = keyof typeof PEOPLE;

const SETTINGS = {
  LOG_LEVEL: 'warn',
  SEED_ADMIN_EMAIL: PEOPLE.staff.email,
  SEED_ADMIN_PASSWORD: PASSWORD,
  // Receivers of webhooks and identity providers that the tests start on this machine.
  WEBHOOK_DEV_ALLOWED_HOSTS: '127.0.0.1',
};

export type Api = Record<Person, DemoClient>;

/** Errors and warnings in the browser's console; a test that leaves one fails. */
export type Complaints = { all: string[] };

/** `complaints`: those of the last visit. */
export type Visited = { page: Page; complaints: Complaints };

type Worker = {
  /** The name server that own domains are looked up in. */
  dns: DnsServer;
  system: System;
  address: string;
  api: Api;
  sharedContext: BrowserContext;
  visited: Map<Person, Visited>;
};
type Each = {
  complaints: Complaints;
  as: (person: Person, path: string) => Promise<Page>;
  /** A page of another browser, for a second person: the tabs of one browser share a session. */
  otherBrowser: () => Promise<Page>;
};

/**
 * The real service with its quick-start workspace, one for each worker, so that workers do not meet: own data folder, own port, nothing
 * mocked. `address` is where it is, `api` speaks to the seeded workspace once it is complete; `as` opens a page for a signed-in
 * person; a test that leaves a complaint in the browser's console fails. Each test has a page of its own; tests that need none share one
 * through pages.ts, in `sharedContext` and `visited`. Those and `dns`, which few tests use, are declared here because tests with other
 * worker fixtures get other workers and systems.
 */
export const test = base.extend<Each, Worker>({
  dns: [
    // oxlint-disable-next-line no-empty-pattern -- the library wants a pattern
    async ({}, use) => {
      const dns = await startDnsServer();
      await use(dns);
      await dns.close();
    },
    { scope: 'worker' },
  ],
  system: [
    async ({ browser, dns }, use) => {
      if (process.env['BROWSER_TEST_SLOW'] === 'true') slowDown(browser);
      const system = await startSystem({ args: [], env: { ...SETTINGS, CUSTOM_DOMAIN_RESOLVERS: dns.address } });
      await use(system);
      await system.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  address: [async ({ system }, use) => use(system.baseUrl), { scope: 'worker' }],
  baseURL: async ({ address }, use) => use(address),
  api: [
    async ({ address }, use) => {
      const api = await connect(address);
      // Some routes need a recent login, and a worker runs for longer.
      const confirming = setInterval(() => {
        for (const client of Object.values(api)) client.reauthenticate({ body: { password: PASSWORD } }).catch(() => undefined);
      }, RECENT_MS / 2);
      await use(api);
      clearInterval(confirming);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  sharedContext: [
    async ({ browser, address }, use) => {
      const context = await browser.newContext({ baseURL: address });
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  visited: [
    // oxlint-disable-next-line no-empty-pattern -- the library wants a pattern
    async ({}, use) => {
      const visited = new Map<Person, Visited>();
      await use(visited);
      for (const { page } of visited.values()) await page.context().close();
    },
    { scope: 'worker' },
  ],
  complaints: async ({ page, api: _ready }, use) => {
    const complaints = collectComplaints(page);
    await use(complaints);
    expect(complaints.all, 'the console of the browser').toEqual([]);
  },
  otherBrowser: async ({ browser, address }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({ baseURL: address });
      contexts.push(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
  as: async ({ page, complaints: _watched }, use) => {
    await use(async (person, path) => {
      await logInQuietly(page, person);
      await page.goto(path);
      return page;
    });
  },
});

export { expect };

/** Collects errors and warnings of the page from now on. */
export function collectComplaints(page: Page): Complaints {
  const complaints: Complaints = { all: [] };
  page.on('console', (message) => {
    // Of a resource that was not loaded the text says only the status.
    const what = message.text().startsWith('Failed to load resource') ? ` ${message.location().url}` : '';
    if (message.type() === 'error' || message.type() === 'warning') complaints.all.push(`${message.text()}${what}`);
  });
  page.on('pageerror', (error) => complaints.all.push(error.message));
  return complaints;
}

/** The person's session in the page's own storage, as the login form would leave it. */
async function logInQuietly(page: Page, person: Person): Promise<void> {
  const session = JSON.stringify(await sessionOf(page, person));
  await page.addInitScript(`if (!sessionStorage.getItem('portal.session')) sessionStorage.setItem('portal.session', ${session})`);
}

/** The reply to a recent login of this person, shared by the tests of the worker, as the portal keeps it in session storage. */
export async function sessionOf(page: Page, person: Person): Promise<string> {
  const known = sessions.get(person);
  if (known && Date.now() - known.at < RECENT_MS / 2) return known.session;
  const session = await (await page.request.post('/auth/login', { data: { email: PEOPLE[person].email, password: PASSWORD } })).text();
  sessions.set(person, { session, at: Date.now() });
  return session;
}

const sessions = new Map<Person, { session: string; at: number }>();

/** Pages with scripts that stay: no other test may have them. */
export const changedForGood = new WeakSet<Page>();

/** Pages that read alone. */
const alone = new WeakSet<Page>();

/** Keeps the pointer on every toast of pages opened from now on: toasts disappear after eight seconds otherwise. */
export async function holdMessages(page: Page): Promise<void> {
  changedForGood.add(page);
  await page.addInitScript(`
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll('.toast:not([data-held])')) {
        toast.setAttribute('data-held', '');
        toast.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      }
    }).observe(document, { childList: true, subtree: true });
  `);
}

/** Documents opened from now on send each read by itself, as they do when a process does not know `/reads`; for tests that answer one of them. */
export async function readAlone(page: Page): Promise<void> {
  if (alone.has(page)) return;
  alone.add(page);
  changedForGood.add(page);
  await page.addInitScript(`
    const send = fetch;
    window.fetch = (url, init) => (url === '/reads' ? Promise.resolve(new Response('', { status: 404 })) : send(url, init));
  `);
}

/** Whether a request follows the stream of this path. All of a tab go over one connection. */
export const isFollowing = (path: RegExp) => (request: Request) =>
  new URL(request.url()).pathname === '/streams' && followedBy(request).some((one) => path.test(one));

/** The paths that a request for `/streams` follows, in the order of their indexes. */
export function followedBy(request: Request): string[] {
  const { follow } = request.postDataJSON() as { follow: { path: string }[] }; // as the portal sends it
  return follow.map(({ path }) => path);
}

/** Answers as the server does, changed by `change` for as long as it is not ended. */
export async function answerChanged(page: Page, url: RegExp | ((url: URL) => boolean), change: (text: string) => string) {
  await readAlone(page);
  let isOver = false;
  const answer = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: isOver ? text : change(text) });
  };
  await page.route(url, (route) =>
    answer(route).catch((error: unknown) => {
      // A closed page waits for no response.
      if (!page.isClosed() && !isOver) throw error;
    }),
  );
  return { end: () => void (isOver = true) };
}

/** Fills the login form as a person does. */
export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL((url) => url.pathname === '/login');
}

/** Expects no violation of the accessibility rules in this theme; of those about color alone when `only` is `color`. */
export async function expectAccessible(page: Page, theme: 'light' | 'dark', only?: 'color'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  // However short a transition is, it shows the colour of before until the next frame; a page behind another has no frames.
  await page.bringToFront();
  await expect.poll(() => page.evaluate('document.getAnimations().length'), { message: 'what still moves' }).toBe(0);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const runOnly = only ? { type: 'rule', values: COLOR_RULES } : { type: 'tag', values: ACCESSIBILITY };
  const found = await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })
    .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target, any, failureSummary }) =>
      target.join(' ') + ' (' + (any[0]?.message ?? failureSummary ?? '') + ')') })))`);
  const described = (found as { id: string; nodes: string[] }[]).map(({ id, nodes }) => `${id}: ${nodes.join('; ')}`); // made just above
  expect(described, `accessibility of ${page.url()} in the ${theme} theme`).toEqual([]);
}

/** Injected into a page once and answering violations only; AxeBuilder injects it for each analysis and transfers the passed checks too. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ACCESSIBILITY = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What differs between the themes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** The page is as wide as the window: nothing makes it scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), { message: `sideways scroll of ${page.url()}` })
    .toBeLessThanOrEqual(0);
}

/** Expects a good page at both sizes, in the light theme at one and the colors of the dark one at the other; in a full run both at both. */
export async function expectGood(page: Page): Promise<void> {
  for (const [size, theme] of [
    [PHONE, 'light'],
    [DESK, 'dark'],
  ] as const) {
    await page.setViewportSize(size);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, theme, theme === 'dark' && !isFull ? 'color' : undefined);
    if (isFull) await expectAccessible(page, theme === 'light' ? 'dark' : 'light');
  }
}

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

/** No sentence is squeezed into a column of single words, as beside buttons that leave it no room. */
export async function expectWideTexts(page: Page): Promise<void> {
  const squeezed = `[...document.querySelectorAll('main *, header *, nav *, dialog *')].filter((element) => {
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data.trim()).join(' ');
    if (own.length < 30 || !own.includes(' ')) return false;
    const boxes = [...element.getClientRects()];
    const width = Math.max(0, ...boxes.map((box) => box.width));
    // What only screen readers are given is a pixel wide.
    return width > 2 && width < 90 && element.getBoundingClientRect().height > 60;
  }).map((element) => element.textContent.trim().slice(0, 60))`;
  await expect.poll(() => page.evaluate(squeezed), { message: `texts of ${page.url()} with one word in a line` }).toEqual([]);
}

/** Every column of every table can be seen: a panel that does not scroll cuts off what is wider than it. */
export async function expectWholeTables(page: Page): Promise<void> {
  const cut = `[...document.querySelectorAll('.table-panel')]
    .filter((panel) => panel.scrollWidth > panel.clientWidth && getComputedStyle(panel).overflowX === 'clip')
    .map((panel) => panel.querySelector('table')?.ariaLabel)`;
  await expect.poll(() => page.evaluate(cut), { message: `tables of ${page.url()} with columns out of sight` }).toEqual([]);
}

/** Expects a heading and no loading placeholder. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main').getByRole('status', { name: /^(Loading|Checking|Looking)/ })).toHaveCount(0);
}

/** Signs every person in once the quick start has finished and its sample runs have ended. */
async function connect(baseUrl: string): Promise<Api> {
  const enter = (person: Person): Promise<DemoClient> => signIn(baseUrl, PEOPLE[person].email, PASSWORD);
  await expect(async () => {
    const owner = await enter('owner');
    const { data } = await owner.listExecutions({ query: { limit: 100 } });
    expect(data.length).toBeGreaterThanOrEqual(7);
    expect(data.every((run) => run.status !== 'RUNNING')).toBe(true);
  }).toPass({ timeout: 280_000, intervals: [500] });
  return { staff: await enter('staff'), owner: await enter('owner'), moderator: await enter('moderator'), client: await enter('client') };
}
