import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, close, field, holds, open, press, screen, see, user } from '../../testing/portal.ts';
import { type Answers, row } from '../../testing/service.ts';

test('a filter keeps its text and blanks while an earlier search is in flight', async () => {
  const held = Promise.withResolvers<never>();
  const service = await open('owner', '/dashboard/agents', { listAgents: () => held.promise });
  const filter = await screen.findByRole<HTMLInputElement>('searchbox');
  await user.type(filter, 'missed ');
  await holds(() => assert.equal(new URLSearchParams(location.search).get('q'), 'missed'));
  await user.type(filter, 'call');
  assert.equal(filter.value, 'missed call');
  await holds(() => assert.equal(new URLSearchParams(location.search).get('q'), 'missed call'));
  await holds(() => assert.ok(service.calls.some(({ query }) => (query as { q?: string } | undefined)?.q === 'missed call')));
});

test('a moderator saves a filter under a name, finds it again, renames and deletes it', async () => {
  type Saved = ReturnType<typeof row<'listSavedFilters'>>;
  let kept: Saved[] = [];
  const answers: Answers = {
    listSavedFilters: () => kept,
    putSavedFilter: ({ params, body }) => {
      const one = { ...row('listSavedFilters'), ...body, id: params.id };
      kept = [one];
      return one;
    },
    deleteSavedFilter: () => {
      kept = [];
      return undefined as never; // it has no body
    },
  };
  await open('moderator', '/dashboard/agents?health=ok', answers);
  await press(/^Saved filters/);
  await user.click(await screen.findByRole('menuitem', { name: 'Save this filter' }));
  const name = await field('Name');
  await user.type(name, 'What works{Enter}');
  await button('Saved filters: What works');

  await close();
  await open('moderator', '/dashboard/agents', answers);
  await press(/^Saved filters/);
  await user.click(await screen.findByRole('menuitemradio', { name: 'What works' }));
  await holds(() => assert.match(location.search, /health=ok/));

  await press(/^Saved filters/);
  await user.click(await screen.findByRole('menuitem', { name: 'Rename or delete' }));
  await press('Rename What works');
  const renamed = await field('Name');
  assert.equal(renamed.value, 'What works');
  await user.clear(renamed);
  await user.type(renamed, 'Healthy{Enter}');
  await press('Delete Healthy');
  await see('“Healthy” is deleted.');
  await button('Saved filters');
});
