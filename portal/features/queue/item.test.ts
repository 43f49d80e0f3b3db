import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkItem } from '../../queries/work-queue.ts';
import { arrange, keyOf, summaryOf, parseQueueSearch } from './item.ts';

const ME = '0199a3b2-1111-7222-8333-444455556666';
const item = (kind: WorkItem['kind'], itemId: string, ownerId: string | null = null): WorkItem => ({
  kind,
  itemId,
  partnerId: null,
  partnerName: 'Kestrel & Co.',
  title: 'A title',
  detail: 'A detail',
  ownerId,
  ownerName: ownerId && 'Ines Calder',
  since: '2026-11-18T20:00:00.000Z',
});
const LIST = [item('application', 'a', ME), item('stuck_attempt', 'b'), item('agent_request', 'c', 'x'), item('failed_setup', 'd')];
const ids = (items: readonly WorkItem[]): string => items.map((one) => one.itemId).join('');

test('keeps the order; with urgent first, keeps it within each urgency', () => {
  assert.equal(ids(arrange(LIST, {}, ME)), 'abcd');
  assert.equal(ids(arrange(LIST, { sort: 'urgent' }, ME)), 'dbac');
});

test('filters by mine and unowned', () => {
  assert.equal(ids(arrange(LIST, { show: 'mine' }, ME)), 'a');
  assert.equal(ids(arrange(LIST, { show: 'unowned' }, ME)), 'bd');
});

test('the URL opens valid queue items only', () => {
  const key = keyOf({ kind: 'application', itemId: ME });
  assert.deepEqual(parseQueueSearch({ item: key, show: 'mine', sort: 'urgent' }), { item: key, show: 'mine', sort: 'urgent' });
  assert.deepEqual(parseQueueSearch({ item: `party.${ME}`, show: 'all', sort: 'up' }), {});
  assert.deepEqual(parseQueueSearch({ item: 'application.1' }), {});
});

test('summarizes an agent request and agents that differ by their title, other items by their detail', () => {
  assert.equal(summaryOf(item('agent_request', 'a')), 'A title');
  assert.equal(summaryOf(item('drift', 'a')), 'A title');
  assert.equal(summaryOf(item('application', 'a')), 'A detail');
  assert.equal(summaryOf({ ...item('failed_setup', 'a'), detail: '' }), 'A title');
});
