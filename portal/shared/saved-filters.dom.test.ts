import assert from 'node:assert/strict';
import { test } from 'node:test';
import { close, field, holds, open, press, screen, user } from '../testing/portal.ts';
import { idOf } from '../testing/sample.ts';
import { type Answers, reply, row } from '../testing/service.ts';

type Saved = ReturnType<typeof row<'listSavedFilters'>>;
const IMPORT = idOf(30);

test('filters are saved by name: inbox, alerts, an import, invoices, mail and subscribers', async () => {
  for (const [person, path, search] of [
    ['owner', '/dashboard/inbox', 'show=waiting'],
    ['owner', '/dashboard/alerts', 'severity=critical'],
    ['owner', `/dashboard/clients/import/${IMPORT}`, 'outcome=created'],
    ['staff', '/admin/invoices', 'show=paid'],
    ['staff', '/admin/system', 'status=failed'],
    ['staff', '/admin/newsletter', 'status=pending'],
  ] as const) {
    let kept: Saved[] = [];
    const name = `Kept ${search}`;
    const answers: Answers = {
      getClientImport: reply('getClientImport', { id: IMPORT, filename: 'kept.csv' }),
      listSavedFilters: () => kept,
      putSavedFilter: ({ params, body }) => {
        const one = { ...row('listSavedFilters'), ...body, id: params.id };
        kept = [one];
        return one;
      },
    };
    await open(person, `${path}?${search}`, answers);
    await press(/^Saved filters/);
    await user.click(await screen.findByRole('menuitem', { name: 'Save this filter' }));
    await user.type(await field('Name'), `${name}{Enter}`);
    await screen.findByRole('button', { name: `Saved filters: ${name}` });
    await close();
    await open(person, path, answers);
    await press(/^Saved filters/);
    await user.click(await screen.findByRole('menuitemradio', { name }));
    await holds(() => assert.equal(location.pathname + location.search, `${path}?${search}`));
    await close();
  }
});
