import { AxeBuilder } from '@axe-core/playwright';
import { DEMO, type DemoClient, signIn } from '@house/service/quick-start/seed-workspace.ts';
import { expect, type Page, type Response, test as base } from '@playwright/test';

/** The password of every seeded user; the same as in playwright.config.ts. */
export const PASSWORD = 'browser-tests-admin';

export const PEOPLE = {
  staff: { email: 'admin@portal.example.com', home: '/admin' },
  owner: { email: DEMO.owner.email, home: '/dashboard' },
  moderator: { email: DEMO.moderator.email, home: '/dashboard' },
  client: { email: DEMO.clientUser.email, home: '/client' },
} as const;
export type Person = keyof typeof PEOPLE;

export type Api = Record<Person, DemoClient>;

/** What a browser said that no page should say. */
export type Complaints = { all: string[] };

type Worker = { address: string; api: Api };
type Each = { complaints: Complaints; as: (person: Person, path: string) => Promise<Page> };

/**
 * `address` is where the service is, `api` speaks to the seeded workspace once it is complete; `as` opens a page for a signed-in person; a test that leaves
 * a complaint in the browser's console fails.
 */
export const test = base.extend<Each, Worker>({
  address: [async ({ browser: _launched }, use, { project }) => use(project.use.baseURL ?? ''), { scope: 'worker' }],
  api: [async ({ address }, use) => use(await connect(address)), { scope: 'worker', timeout: 120_000 }],
  complaints: async ({ page, api: _ready }, use) => {
    const complaints: Complaints = { all: [] };
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.all.push(message.text());
    });
    page.on('pageerror', (error) => complaints.all.push(error.message));
    await use(complaints);
    expect(complaints.all, 'the console of the browser').toEqual([]);
  },
  as: async ({ page, complaints: _watched }, use) => {
    const pace = watchPace(page);
    await use(async (person, path) => {
      await pace();
      await logInQuietly(page, person);
      await page.goto(path);
      return page;
    });
  },
});

export { expect };

/** The person's session in the page's own storage, as the login form would leave it. */
async function logInQuietly(page: Page, person: Person): Promise<void> {
  const known = sessions.get(person);
  const session =
    known ?? (await (await page.request.post('/auth/login', { data: { email: PEOPLE[person].email, password: PASSWORD } })).text());
  sessions.set(person, session);
  await page.addInitScript(
    `if (!sessionStorage.getItem('portal.session')) sessionStorage.setItem('portal.session', ${JSON.stringify(session)})`,
  );
}

const sessions = new Map<Person, string>();

/** Fills the login form as a person does. */
export async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Nothing that the accessibility rules forbid, in the theme given. */
export async function expectAccessible(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const told = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.target.join(' ')} (${node.any[0]?.message ?? node.failureSummary ?? ''})`).join('; ')}`,
  );
  expect(told, `accessibility of ${page.url()} in the ${theme} theme`).toEqual([]);
}

/** The page is as wide as the window: nothing makes it scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), { message: `sideways scroll of ${page.url()}` })
    .toBeLessThanOrEqual(0);
}

/** The page shows its content: a heading, and no placeholder of something still loading. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main').getByRole('status', { name: /^(Loading|Checking|Looking)/ })).toHaveCount(0);
}

/** Signs everybody in once the quick start has written its workspace and its events have become runs. */
async function connect(baseUrl: string): Promise<Api> {
  const enter = (person: Person): Promise<DemoClient> => signIn(baseUrl, PEOPLE[person].email, PASSWORD);
  await expect(async () => {
    const owner = await enter('owner');
    const { data } = await owner.listExecutions({ query: { limit: 100 } });
    expect(data.length).toBeGreaterThanOrEqual(7);
    expect(data.every((run) => run.status !== 'RUNNING')).toBe(true);
  }).toPass({ timeout: 40_000, intervals: [500] });
  return { staff: await enter('staff'), owner: await enter('owner'), moderator: await enter('moderator'), client: await enter('client') };
}

/** A caller has a hundred requests a minute. Before a page would run into that, this waits until the service's own window ends. */
function watchPace(page: Page): () => Promise<void> {
  page.on('response', (response) => note(response));
  return async () => {
    const wait = windowEnds - Date.now();
    if (remaining > 30 || wait <= 0) return;
    await page.waitForTimeout(wait);
    remaining = 100;
  };
}

let remaining = 100;
let windowEnds = 0;

function note(response: Response): void {
  const headers = response.headers();
  const left = Number(headers['ratelimit-remaining'] ?? Number.NaN);
  if (Number.isNaN(left)) return;
  remaining = left;
  windowEnds = Date.now() + Number(headers['ratelimit-reset'] ?? 60) * 1000;
}
