import type { Page, Request } from '@playwright/test';
import { addVisitorConversation, handOver } from '../harness/conversations.ts';
import { isFull } from '../harness/full.ts';
import { expect, expectLoaded, type Person, stretchTimers, test } from './portal.ts';

/** Layout shift as browsers count it: above 0.1 a page needs improvement. */
const SHIFT_MAX = 0.02;
/** How long a list waits for what is above it, and a page for what it can do without (portal/ui/hooks/use-together.ts, portal/app/route-data.ts). */
const TOGETHER_MS = 1_000;
const SIZES = { phone: { width: 412, height: 823 }, desktop: { width: 1280, height: 800 } };

const PAGES: Partial<Record<Person, readonly string[]>> = {
  owner: [
    '/dashboard',
    '/dashboard/runs',
    '/dashboard/agents',
    '/dashboard/clients',
    '/dashboard/inbox',
    '/dashboard/setup',
    '/dashboard/usage',
    '/dashboard/alerts',
    '/dashboard/settings/security',
    '/dashboard/billing/invoices',
  ],
  staff: ['/admin', '/admin/partners', '/admin/usage', '/admin/system'],
  client: ['/client', '/client/activity', '/client/agents', '/client/inbox', '/client/people', '/client/report', '/client/trust'],
};

for (const [person, paths] of Object.entries(PAGES))
  for (const [size, viewport] of Object.entries(SIZES))
    test(`nothing moves under the eyes of the reader while a page of ${person} arrives, on a ${size}`, async ({
      as,
      page,
      api,
      system,
    }) => {
      // The figures above the list of conversations take two lines, and there is a number of those that wait.
      const { id: clientId, partnerId } = await api.client.getMyClient();
      await handOver(system, await addVisitorConversation(system, { partnerId, clientId }));
      await page.setViewportSize(viewport);
      await noteShifts(page);
      const replies = await replyOneByOne(page);
      // Each page at one of the sizes; in a full run at both.
      for (const [at, path] of paths.entries()) {
        if (!isFull && at % 2 !== (size === 'phone' ? 0 : 1)) continue;
        await as(person as Person, path); // a key of PAGES
        await expectStill(page, path, replies);
      }
    });

for (const [size, viewport] of Object.entries(SIZES))
  test(`nothing moves while the page of an agency arrives for staff, on a ${size}`, async ({ as, page, api }) => {
    await page.setViewportSize(viewport);
    await noteShifts(page);
    const replies = await replyOneByOne(page);
    const path = `/admin/partners/${(await api.owner.getMyPartner()).id}`;
    await as('staff', path);
    await expectStill(page, path, replies);
  });

for (const [size, viewport] of Object.entries(SIZES))
  test(`nothing moves while the page of an application arrives, on a ${size}`, async ({ address, page }) => {
    await page.setViewportSize(viewport);
    await noteShifts(page);
    const replies = await replyOneByOne(page);
    await page.goto(`${address}/signup`);
    await expectStill(page, '/signup', replies);
  });

type Shift = { value: number; moved: string[] };

async function noteShifts(page: Page): Promise<void> {
  await stretchTimers(page, TOGETHER_MS);
  await page.addInitScript(`
    window.shifts = [];
    window.note = ({ value, hadRecentInput, sources }) => {
      if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node, previousRect: from, currentRect: to }) =>
        [from.x, from.y, '→', to.x, to.y, node?.outerHTML?.slice(0, 120) ?? node?.textContent].join(' ')) });
    };
    window.watch = new PerformanceObserver((list) => list.getEntries().forEach(note));
    watch.observe({ type: 'layout-shift', buffered: true });
  `);
}

async function expectStill(page: Page, path: string, replies: { isDone(): Promise<void> }): Promise<void> {
  await expectLoaded(page);
  await replies.isDone();
  await expectLoaded(page);
  await painted(page);
  const shifts = (await page.evaluate('watch.takeRecords().forEach(note); shifts')) as Shift[]; // made in noteShifts
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, `${path}: ${JSON.stringify(shifts)}`).toBeLessThan(SHIFT_MAX);
}

/** Lets the replies of the API arrive one after the other, each once the one before was painted. */
async function replyOneByOne(page: Page) {
  let last = Promise.resolve();
  let waiting = 0;
  await page.route(
    ({ pathname }) => !pathname.startsWith('/assets/') && pathname !== '/streams',
    (route) => {
      if (!['fetch', 'xhr'].includes(route.request().resourceType())) return route.continue();
      waiting += 1;
      // Chrome reports a body that a script read piece by piece as failed, though it was read to its end. The page may also have left, even before it is the turn.
      const isThis = { predicate: (request: Request): boolean => request === route.request(), timeout: 0 };
      const over = Promise.race([page.waitForEvent('requestfinished', isThis), page.waitForEvent('requestfailed', isThis)]).catch(
        () => undefined,
      );
      last = last.then(async () => {
        await Promise.all([route.continue(), over]).catch(() => undefined);
        await painted(page);
        waiting -= 1;
      });
      return undefined;
    },
  );
  return { isDone: () => expect.poll(() => waiting, { message: 'requests without a reply' }).toBe(0) };
}

async function painted(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))').catch(() => undefined);
}
