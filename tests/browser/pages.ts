import { isFull } from '../harness/full.ts';
import type { BrowserContext, Page, Request } from '@playwright/test';
import { addVisitorConversation, say } from '../harness/conversations.ts';
import type { System } from '../harness/system.ts';
import {
  type Api,
  changedForGood,
  collectComplaints,
  expect,
  expectAccessible,
  expectLaidOut,
  expectLoaded,
  type Person,
  sessionOf,
  test as base,
  type Visited,
} from './portal.ts';

/**
 * For tests that need no browser of their own: those of a worker share a page, because a new one costs as much as most tests: a process,
 * and the portal's code compiled once more. Each test gets it on a document of the portal's origin without code, with empty storage, no
 * cookies and no listeners. What a test does to cookies, the history or other tabs needs the `test` of portal.ts.
 */
export const test = base.extend<{ visit: Visit }>({
  visit: async ({ browser, address, visited, api: _ready }, use) => {
    await use(async (person, path) => {
      const known = visited.get(person);
      const { page, complaints, reads } = known ?? (await newVisited(await browser.newContext({ baseURL: address })));
      complaints.all = [];
      reads.length = 0;
      const isFirst = known === undefined || isFull;
      if (!known) await keepSession(page, person);
      if (isFirst) await page.goto(path);
      else await navigate(page, path);
      visited.set(person, { page, complaints, reads });
      return { page, complaints, reads, isFirst };
    });
  },
  page: async ({ sharedContext }, use) => {
    const kept = sharedContext.pages()[0];
    const page = kept ?? (await sharedContext.newPage());
    if (!kept) await page.goto(NO_CODE);
    await use(page);
    await clear(page);
  },
  as: async ({ page, complaints: _watched }, use) => {
    await use(async (person, path) => {
      // With no code that reads it before the page at `path` does.
      await keepSession(page, person);
      await page.goto(path);
      return page;
    });
  },
});

/** Opens a page as a person, in a document that later visits of this person use again: the next page is a click away, not a new start. */
type Visit = (person: Person, path: string) => Promise<Visited & { isFirst: boolean }>;

async function newVisited(context: BrowserContext): Promise<Visited> {
  const page = await context.newPage();
  // A poll, and what follows an event, read again what was read before.
  const known = new Set<string>();
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() !== 'fetch') return;
    const paths = pathsRead(request);
    if (paths.some((path) => !known.has(path))) reads.push(paths.join(' '));
    for (const path of paths) known.add(path);
  });
  return { page, complaints: collectComplaints(page), reads };
}

/** What a request reads. Nothing for one that follows streams, or notes that something was seen. */
function pathsRead(request: Request): string[] {
  const { pathname, search } = new URL(request.url());
  if (pathname === '/streams' || pathname.endsWith('/read')) return [];
  if (pathname !== '/reads') return [`${pathname}${search}`];
  return (request.postDataJSON() as { reads: string[] }).reads; // as the portal sends it
}

const NO_CODE = '/health';
const LISTENERS = ['console', 'pageerror', 'request', 'requestfinished', 'requestfailed', 'response', 'framenavigated', 'download'];

/** Puts the person's session into the storage of the page. */
async function keepSession(page: Page, person: Person): Promise<void> {
  if (new URL(page.url(), 'http://none.test').pathname !== NO_CODE) await page.goto(NO_CODE);
  await page.evaluate(`sessionStorage.setItem('portal.session', ${JSON.stringify(await sessionOf(page, person))})`);
}

/** Leaves the portal, which would ask for what a test deletes next. The page stays: a new one costs as much as most tests. */
export async function leavePortal(page: Page): Promise<void> {
  await page.goto(NO_CODE);
}

/** Goes to another page of the portal as a link does, and waits until its route has loaded. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate(`void (window.leaves = __TSR_ROUTER__.state.resolvedLocation, __TSR_ROUTER__.history.push(${JSON.stringify(path)}))`);
  const isThere = '__TSR_ROUTER__.state.status === "idle" && __TSR_ROUTER__.state.resolvedLocation !== window.leaves';
  await expect.poll(() => page.evaluate(isThere), { message: `the route of ${path}` }).toBe(true);
}

/** Leaves the page as a new one would be, apart from its history; closes it when that cannot be. */
async function clear(page: Page): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page || changedForGood.has(page)) await other.close();
  await context.clearCookies();
  if (page.isClosed()) return;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(NO_CODE);
  for (const name of LISTENERS) page.removeAllListeners(name);
  await page.evaluate('sessionStorage.clear(); localStorage.clear()');
  await page.mouse.move(0, 0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** `heading`: of a part that arrives later, such as a new item of a list that was read before; what it reads belongs to this view. */
export type View = { name: string; path: (api: Api, system: System) => Promise<string>; heading?: string };

/** A view whose address is fixed. */
export function at(path: string): View {
  return { name: path, path: async () => path };
}

/**
 * How a view is looked at: a desk in the light theme by every accessibility rule, a phone in the dark one by those about colour; in a full run both themes at both
 * sizes, by every rule.
 */
const LOOKS: readonly { theme: 'light' | 'dark'; width: number; only?: 'color' }[] = isFull
  ? [
      { theme: 'light', width: 1280 },
      { theme: 'dark', width: 1280 },
      { theme: 'dark', width: 390 },
      { theme: 'light', width: 390 },
    ]
  : [
      { theme: 'light', width: 1280 },
      { theme: 'dark', width: 390, only: 'color' },
    ];

/** The window of a tablet, or of a desk at 150 %: between the looks, with a slim sidebar. */
const TABLET = { width: 820, height: 1180 };

/**
 * Requests with which a view may read: what it needs, and what depends on that, such as the agent of a run unless another page has read it. The first view of a
 * document reads its frame too.
 */
const READS_MAX = { byLink: 2, first: 3 };

/**
 * Defines one test for each view, opened by a link in a document that the views of a person share: it opens with few requests, is accessible in both themes,
 * fits a desk, a tablet and a phone, can be used by keys, and logs nothing to the console, as refusals of its content policy would be. The first view is looked at with its
 * frame, which is the same around the others; in a full run all are the first.
 */
export function testViews(person: Person, views: readonly View[]): void {
  for (const { name, path, heading } of views) {
    test(`${name}: opens with few requests, is accessible in both themes, fits desk, tablet and phone, logs nothing (${person})`, async ({
      visit,
      api,
      system,
    }) => {
      const { page, complaints, reads, isFirst } = await visit(person, await path(api, system));
      if (heading !== undefined) await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      await expectLoaded(page);
      expect(reads.length, reads.join('\n')).toBeLessThanOrEqual(isFirst ? READS_MAX.first : READS_MAX.byLink);
      for (const { theme, width, only } of LOOKS) {
        await page.setViewportSize({ width, height: 844 });
        await expectLaidOut(page);
        await expectAccessible(page, theme, only, !isFirst);
      }
      await page.setViewportSize(TABLET);
      await expectLaidOut(page);
      await page.setViewportSize({ width: 1280, height: 844 });
      expect(complaints.all, 'the console of the browser').toEqual([]);
    });
  }
}

/** A conversation that the chatbot answered, with the passage its reply stands on. */
export async function conversation(api: Api, system: System): Promise<string> {
  const { id: clientId, partnerId } = await api.client.getMyClient();
  const id = await addVisitorConversation(system, { partnerId, clientId, label: 'Visitor VIEW' });
  const passages = [{ documentId: id, title: 'Business profile', heading: 'Parking', excerpt: 'Parking is free.' }];
  await say(system, id, { author: 'bot', text: 'Yes, parking is free.', passages });
  return id;
}

export const business = async (api: Api): Promise<string> => (await api.owner.listClients({ query: { q: 'Oak' } })).data[0]?.id ?? '';
/** An agent that both the partner and its client see. */
export const agent = async (api: Api): Promise<string> => {
  const query = { templateName: 'missed-call-text-back', clientId: await business(api) };
  return (await api.owner.listAgents({ query })).data[0]?.id ?? '';
};
