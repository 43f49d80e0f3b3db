import { test } from './pages.ts';
import { expect, expectLoaded, expectNoSidewaysScroll, type Person } from './portal.ts';

/** Links that stand alone and are lower than 24 px; one within a sentence is as high as its line. */
const LOW_LINKS = `[...document.querySelectorAll('a[href]')]
  .filter((link) => link.checkVisibility({ visibilityProperty: true }) && link.parentElement.innerText.trim() === link.innerText.trim())
  .filter((link) => link.getBoundingClientRect().width > 2 && link.getBoundingClientRect().height < 23.5)
  .map((link) => link.innerText)`;
/** Names that a list cuts off, which a phone has no hover for. */
const CUT_NAMES = `[...document.querySelectorAll('td.table-lead:not(.table-lead-wide), td.table-lead:not(.table-lead-wide) *')]
  .filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth).map((part) => part.innerText)`;

const PAGES = {
  staff: [
    ['/admin/overview', 'Last 7 days'],
    ['/admin/templates', 'Missed-call text-back'],
    ['/admin/plans', 'Growth'],
  ],
  owner: [
    ['/dashboard', 'Latest runs'],
    ['/dashboard/catalog', 'Missed-call text-back'],
  ],
} as const satisfies Partial<Record<Person, readonly (readonly [path: string, text: string])[]>>;

for (const person of ['staff', 'owner'] as const)
  test(`on a phone lists show whole names, and a thumb hits each link that stands alone: ${person}`, async ({ as }) => {
    for (const [path, text] of PAGES[person]) {
      const page = await as(person, path);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectLoaded(page);
      await expect(page.getByRole('main').getByText(text, { exact: true }).first()).toBeVisible();
      await expectNoSidewaysScroll(page);
      await expect.poll(() => page.evaluate(LOW_LINKS), { message: path }).toEqual([]);
      await expect.poll(() => page.evaluate(CUT_NAMES), { message: path }).toEqual([]);
    }
  });
