import { isFull } from '../harness/full.ts';
import type { BrowserContext } from '@playwright/test';
import {
  type Api,
  expectAccessible,
  expectLoaded,
  expectNoSidewaysScroll,
  expectWholeTables,
  type Person,
  test as base,
} from './portal.ts';

/**
 * Tests that only read pages: those of a worker share one browser context, so that the portal's code is fetched and compiled once.
 * Sessions are per tab, so tests of different people do not meet.
 */
export const test = base.extend<object, { sharedContext: BrowserContext }>({
  sharedContext: [
    async ({ browser, address }, use) => {
      const context = await browser.newContext({ baseURL: address });
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ sharedContext }, use) => {
    const page = await sharedContext.newPage();
    await use(page);
    await page.close();
  },
});

export type View = { name: string; path: (api: Api) => Promise<string> };

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
  for (const [index, { name, path }] of views.entries()) {
    test(`${name}: accessible, fits a phone, logs nothing to the console (${person})`, async ({ as, api }) => {
      const page = await as(person, await path(api));
      await expectLoaded(page);
      for (const [at, { theme, width }] of SETTINGS.entries()) {
        await page.setViewportSize({ width, height: 844 });
        await expectNoSidewaysScroll(page);
        await expectWholeTables(page);
        if (isFull || index % SETTINGS.length === at) await expectAccessible(page, theme);
      }
    });
  }
}

/** An agent that both the partner and its client see. */
export const agent = async (api: Api): Promise<string> =>
  (await api.owner.listAgents({ query: { templateName: 'missed-call-text-back' } })).data[0]?.id ?? '';
export const business = async (api: Api): Promise<string> => (await api.owner.listClients({ query: { q: 'Oak' } })).data[0]?.id ?? '';
