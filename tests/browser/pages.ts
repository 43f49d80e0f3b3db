import { isFull } from '../harness/full.ts';
import type { Page } from '@playwright/test';
import { addVisitorConversation, say } from '../harness/conversations.ts';
import type { System } from '../harness/system.ts';
import {
  type Api,
  changedForGood,
  collectComplaints,
  expect,
  expectAccessible,
  expectLoaded,
  expectNoSidewaysScroll,
  expectWholeTables,
  expectWideTexts,
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
      const page = known?.page ?? (await (await browser.newContext({ baseURL: address })).newPage());
      const { complaints } = known ?? { complaints: collectComplaints(page) };
      complaints.all = [];
      if (!known) await keepSession(page, person);
      if (known && !isFull) await navigate(page, path);
      else await page.goto(path);
      visited.set(person, { page, complaints });
      return { page, complaints };
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
type Visit = (person: Person, path: string) => Promise<Visited>;

const NO_CODE = '/health';
const LISTENERS = ['console', 'pageerror', 'request', 'requestfinished', 'requestfailed', 'response', 'framenavigated', 'download'];

/** Puts the person's session into the storage of the page. */
async function keepSession(page: Page, person: Person): Promise<void> {
  if (new URL(page.url(), 'http://none.test').pathname !== NO_CODE) await page.goto(NO_CODE);
  await page.evaluate(`sessionStorage.setItem('portal.session', ${JSON.stringify(await sessionOf(page, person))})`);
}

/** Goes to another page of the portal as a link does, and waits until its route has loaded. */
async function navigate(page: Page, path: string): Promise<void> {
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

export type View = { name: string; path: (api: Api, system: System) => Promise<string> };

/** A view whose address is fixed. */
export function at(path: string): View {
  return { name: path, path: async () => path };
}

/** Every view is checked in each of these in a full run; otherwise in one of them, the next view in the next. */
const SETTINGS = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
] as const;

/** Defines one test for each view: loaded, accessible, no sideways scroll, nothing in the console. */
export function testViews(person: Person, views: readonly View[]): void {
  testCalls(person, views);
  for (const [index, { name, path }] of views.entries()) {
    test(`${name}: accessible, fits a phone, logs nothing to the console (${person})`, async ({ visit, api, system }) => {
      const { page, complaints } = await visit(person, await path(api, system));
      await expectLoaded(page);
      for (const [at, { theme, width }] of SETTINGS.entries()) {
        await page.setViewportSize({ width, height: 844 });
        await expectNoSidewaysScroll(page);
        await expectWideTexts(page);
        await expectWholeTables(page);
        if (isFull || index % SETTINGS.length === at) await expectAccessible(page, theme);
      }
      expect(complaints.all, 'the console of the browser').toEqual([]);
    });
  }
}

/** With the stream; every caller has a hundred requests a minute. */
const CALLS_MAX = 3;

/** Defines one test for each view: opening it takes few requests of the API. Not in a full run: one in five. */
export function testCalls(person: Person, views: readonly View[]): void {
  for (const [index, { name, path }] of views.entries()) {
    if (!isFull && index % 5 !== 0) continue;
    test(`${name}: opens with three requests at most (${person})`, async ({ page, as, api, system }) => {
      const at = await path(api, system);
      const calls: string[] = [];
      // What the stream brings is read when it comes.
      let isFollowing = false;
      page.on('request', (request) => {
        if (request.resourceType() === 'fetch' && !isFollowing && !request.url().endsWith('/read'))
          calls.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ''}`);
      });
      const followed = page.waitForResponse((response) => new URL(response.url()).pathname === '/streams').then(() => (isFollowing = true));
      await as(person, at);
      await expectLoaded(page);
      await followed;
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
      expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(CALLS_MAX);
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
