import assert from 'node:assert/strict';
import { it } from 'node:test';
import { noteRecent, recentPages } from './recent.ts';

const id = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;

it('the records seen last are known, newest first, each once, without the open one and without lists', () => {
  noteRecent(`/dashboard/clients/${id(1)}`, 'Oak Street Dental');
  noteRecent('/dashboard/clients', 'Clients');
  noteRecent(`/dashboard/agents/${id(2)}`, 'Text-back');
  noteRecent(`/dashboard/clients/${id(1)}`, 'Oak Street Dental');
  noteRecent(`/admin/partners/${id(3)}/automation`, 'Northwind');
  assert.deepEqual(recentPages('/dashboard'), [
    { path: `/admin/partners/${id(3)}`, name: 'Northwind', kind: 'Agency' },
    { path: `/dashboard/clients/${id(1)}`, name: 'Oak Street Dental', kind: 'Client' },
    { path: `/dashboard/agents/${id(2)}`, name: 'Text-back', kind: 'Agent' },
  ]);
  assert.deepEqual(
    recentPages(`/admin/partners/${id(3)}/billing`).map(({ kind }) => kind),
    ['Client', 'Agent'],
  );
});

it('few are kept', () => {
  for (let n = 1; n < 10; n += 1) noteRecent(`/dashboard/runs/${id(n)}`, `Run ${n}`);
  assert.deepEqual(
    recentPages('/dashboard').map(({ name }) => name),
    ['Run 9', 'Run 8', 'Run 7', 'Run 6', 'Run 5'],
  );
});
