import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { DEMO, type DemoClient, signIn } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { type BrowserContext, expect, type Page, type Request, type Route, test as base } from '@playwright/test';
import { type DnsServer, startDnsServer } from '../harness/dns-server.ts';
import { isFull } from '../harness/full.ts';
import { startSystem, type System } from '../harness/system.ts';
import { slowDown } from './slow.ts';
import { keepWorkspace } from './workspace.ts';

/** The password of every seeded user. */
export const PASSWORD = 'browser-tests-admin';

/** Time during which a login counts as recent. */
const RECENT_MS = LIMITS.recentLoginMinutes * 60_000;

/** What the start of a system with its workspace may take on a busy machine. */
const START_MS = 600_000;

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

/** `complaints` and `reads`: those of the last visit; `reads` are the requests that read what this document had not read before. */
export type Visited = { page: Page; complaints: Complaints; reads: string[] };

type Worker = {
  /** The name server that own domains are looked up in. */
  dns: DnsServer;
  system: System;
  address: string;
  api: Api;
  /** Puts the workspace back when a spec file begins that is not the one of before. */
  restoreFor: (file: string) => Promise<void>;
  sharedContext: BrowserContext;
  visited: Map<Person, Visited>;
};
type Each = {
  /** No spec meets what the one before it left at the demo agency. A `beforeEach` that adds something there asks for it; each test has it. */
  restored: undefined;
  complaints: Complaints;
  as: (person: Person, path: string) => Promise<Page>;
  /** A page of another browser, for a second person: the tabs of one browser share a session. */
  otherBrowser: () => Promise<Page>;
};

/**
 * The real service with its quick-start workspace, one for each worker, so that workers do not meet: own data folder, own port, nothing
 * mocked. `address` is where it is, `api` speaks to the seeded workspace once it is complete; `as` opens a page for a signed-in
 * person; a test that leaves a complaint in the browser's console fails. A spec file begins with the workspace as it was seeded (workspace.ts). Each
 * test has a page of its own; tests that need none share one through pages.ts, in `sharedContext` and `visited`. Those and `dns`, which few
 * tests use, are declared here because tests with other worker fixtures get other workers and systems.
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
    { scope: 'worker', timeout: START_MS },
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
    { scope: 'worker', timeout: START_MS },
  ],
  restoreFor: [
    async ({ system, api }, use) => {
      const workspace = await keepWorkspace(system, api.owner);
      let last: string | undefined;
      await use(async (file) => {
        if (last !== undefined && last !== file) await workspace.restore();
        last = file;
      });
    },
    { scope: 'worker', timeout: START_MS },
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
  restored: [
    async ({ restoreFor }, use, { file }) => {
      await restoreFor(file);
      await use(undefined);
    },
    { auto: true, timeout: START_MS },
  ],
  complaints: async ({ page }, use) => {
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
    // For a resource that failed to load, the text contains only the status.
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

/**
 * A recent login of this person, shared by the tests of the worker, as the portal keeps it in session storage. Its user is read each time: an earlier test
 * may have logged in while the person had another language, or have logged them out.
 */
export async function sessionOf(page: Page, person: Person): Promise<string> {
  const known = sessions.get(person);
  if (known && Date.now() - known.at < RECENT_MS / 2) {
    const answer = await page.request.get('/auth/me', { headers: { authorization: `Bearer ${known.session.accessToken}` } });
    const { user } = (await answer.json()) as { user?: object }; // a problem has none
    if (user) return JSON.stringify({ ...known.session, user });
  }
  const answer = await page.request.post('/auth/login', { data: { email: PEOPLE[person].email, password: PASSWORD } });
  const session = (await answer.json()) as Session;
  sessions.set(person, { session, at: Date.now() });
  return JSON.stringify(session);
}

/** What tests need of the reply to a login. */
type Session = { accessToken: string };
const sessions = new Map<Person, { session: Session; at: number }>();

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

/**
 * In pages opened from now on, timers of `ms` end after a minute: limits of the portal that a machine which pauses exceeds, and that the test is not about.
 * `dispose` ends that for the pages after it.
 */
export const stretchTimers = (where: Page | BrowserContext, ms: number) =>
  where.addInitScript(`{
    const begin = setTimeout;
    window.setTimeout = (act, after, ...given) => begin(act, after === ${ms} ? 60_000 : after, ...given);
  }`);

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

/** Expects no violation of the accessibility rules in this theme; of those about color alone when `only` is `color`, and outside of the frame when that `isFrameKnown`. */
export async function expectAccessible(page: Page, theme: 'light' | 'dark', only?: 'color', isFrameKnown = false): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.bringToFront();
  // However short a transition is, it shows the colour of before until the next frame, which a busy machine draws late. The end of one may begin that of
  // what inherits its colour; endless animations cannot be finished.
  await expect.poll(() => page.evaluate(`${FINISH_MOVING}()`), { message: 'what still moves' }).toBe(0);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const runOnly = only ? { type: 'rule', values: COLOR_RULES } : { type: 'tag', values: ACCESSIBILITY };
  // The rules read the elements of the beginning with the attributes of now: of a page that changed meanwhile they find what it never showed. Such a change
  // may have begun transitions.
  const scope = isFrameKnown ? `{ include: [document], exclude: ${FRAME} }` : 'document';
  const found = await page.evaluate(`(async () => {
    let hasChanged = false;
    const observer = new MutationObserver(() => { hasChanged = true; });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    try {
      for (let left = 10; ; left -= 1) {
        hasChanged = false;
        const { violations } = await axe.run(${scope}, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] });
        const isMoving = ${FINISH_MOVING}(true) > 0;
        if (violations.length > 0 && (hasChanged || isMoving) && left > 0) continue;
        return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target, any, failureSummary }) =>
          target.join(' ') + ' (' + (any[0]?.message ?? failureSummary ?? '') + ')') }));
      }
    } finally { observer.disconnect(); }
  })()`);
  const described = (found as { id: string; nodes: string[] }[]).map(({ id, nodes }) => `${id}: ${nodes.join('; ')}`); // made just above
  expect(described, `accessibility of ${page.url()} in the ${theme} theme`).toEqual([]);
}

/** Ends all animations of the page; returns how many move on, or how many moved at the first look when `before`. */
const FINISH_MOVING = `((before) => {
  const moving = document.getAnimations();
  moving.forEach((one) => { try { one.finish(); } catch {} });
  return before ? moving.length : document.getAnimations().length;
})`;
/** Injected into a page once and answering violations only; AxeBuilder injects it for each analysis and transfers the passed checks too. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ACCESSIBILITY = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The navigation and the header: all that is next to what contains the page, apart from dialogs. */
const FRAME = `(function next(one) {
  const outer = one?.parentElement;
  return outer ? [...outer.children].filter((other) => other !== one && !other.querySelector('[role=dialog]') && !other.matches('dialog, [role=dialog]')).concat(outer === document.body ? [] : next(outer)) : [];
})(document.querySelector('main'))`;
/** Properties that differ between the themes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Expects no violation in either theme. Only colors depend on it: in the dark one, the other rules are asked in a full run alone. */
export async function expectAccessibleInThemes(page: Page): Promise<void> {
  await expectAccessible(page, 'light');
  await expectAccessible(page, 'dark', isFull ? undefined : 'color');
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

/** Each names what is wrong with the layout of a page; evaluated in it. */
const LAYOUT = {
  'pixels of sideways scroll': 'Math.max(0, document.documentElement.scrollWidth - window.innerWidth)',
  // For example next to wide buttons. Text for screen readers only is one pixel wide.
  'texts with one word in a line': `[...document.querySelectorAll('main *, header *, nav *, dialog *')].filter((element) => {
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data.trim()).join(' ');
    if (own.length < 30 || !own.includes(' ')) return false;
    const width = Math.max(0, ...[...element.getClientRects()].map((box) => box.width));
    return width > 2 && width < 90 && element.getBoundingClientRect().height > 60;
  }).map((element) => element.textContent.trim().slice(0, 60))`,
  'links without a name': `[...document.querySelectorAll('a[href], button')].filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => one.innerText.trim() === '' && !one.ariaLabel && !one.ariaLabelledByElements?.length && !one.labels?.length && !one.querySelector('[aria-label], img[alt]:not([alt=""])'))
    .map((one) => one.outerHTML.slice(0, 120))`,
  // A panel that does not scroll cuts off what is wider than it.
  'tables with columns out of sight': `[...document.querySelectorAll('.table-panel')]
    .filter((panel) => panel.scrollWidth > panel.clientWidth && getComputedStyle(panel).overflowX === 'clip')
    .map((panel) => panel.querySelector('table')?.ariaLabel)`,
  // Whatever a pointer presses has the focus by Tab, or by the keys of the group it is in.
  'controls that no key reaches': `[...document.querySelectorAll('a[href], button, input:not([type=file]), select, textarea, summary, [role=button], [role=link], [role=switch], [role=checkbox]')]
    .filter((one) => !one.disabled && one.tabIndex < 0 && one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => !one.closest('[role=radiogroup], [role=listbox], [role=tablist], [role=toolbar], [role=menu], [role=grid], [role=group], [aria-hidden=true], [inert]'))
    .map((one) => one.outerHTML.slice(0, 120))`,
} as const;
type Fault = keyof typeof LAYOUT;

/** Expects none of these faults, all looked for at one moment. */
async function expectNone(page: Page, faults: readonly Fault[]): Promise<void> {
  const found = `({ ${faults.map((fault) => `${JSON.stringify(fault)}: ${LAYOUT[fault]}`).join(', ')} })`;
  const none = Object.fromEntries(faults.map((fault) => [fault, fault === 'pixels of sideways scroll' ? 0 : []]));
  await expect.poll(() => page.evaluate(found), { message: `layout of ${page.url()}` }).toEqual(none);
}

/** The page is as wide as the window: nothing makes it scroll sideways. */
export const expectNoSidewaysScroll = (page: Page): Promise<void> => expectNone(page, ['pixels of sideways scroll']);

/** No sentence is squeezed into a column of single words. */
export const expectWideTexts = (page: Page): Promise<void> => expectNone(page, ['texts with one word in a line']);

/** The page fits its window, every text and column of a table can be read in it, links have names, and keys reach every control. */
export const expectLaidOut = (page: Page): Promise<void> => expectNone(page, Object.keys(LAYOUT) as Fault[]); // its own keys

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
  }).toPass({ timeout: START_MS - 20_000, intervals: [500] });
  return { staff: await enter('staff'), owner: await enter('owner'), moderator: await enter('moderator'), client: await enter('client') };
}
