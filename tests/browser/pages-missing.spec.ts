import { test } from './pages.ts';
import { expect, expectGood, readAlone } from './portal.ts';

const NOWHERE = '01a00000-0000-7000-8000-000000000000';
for (const [person, list, thing] of [
  ['owner', '/dashboard/runs', 'run'],
  ['owner', '/dashboard/agents', 'agent'],
  ['owner', '/dashboard/clients', 'client'],
  ['client', '/client/agents', 'agent'],
] as const) {
  test(`${list}/…: a missing record is shown as a page with a link back (${person})`, async ({ as, page, complaints }) => {
    const requests: string[] = [];
    await readAlone(page);
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch' && request.url().includes(NOWHERE)) requests.push(request.url());
    });
    await as(person, `${list}/${NOWHERE}`);
    await expect(page.getByRole('heading', { level: 1, name: `This ${thing} was not found` })).toBeVisible();
    await expectGood(page);
    await page
      .getByRole('main')
      .getByRole('link', { name: /^(All|Your) / })
      .click();
    await page.waitForURL((url) => url.pathname === list);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests, 'what is missing is requested once').toEqual([...new Set(requests)]);
    complaints.all = complaints.all.filter((line) => !line.includes('404'));
  });
}
