import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupBySubject } from './group.ts';
import type { Notification } from './queries.ts';

const item = (id: string, subject: string, readAt: string | null = null): Notification => ({
  id,
  userId: 'u',
  type: 'alert_opened',
  tone: 'bad',
  title: id,
  body: '',
  href: '/dashboard',
  subject,
  readAt,
  createdAt: '2026-03-01T10:00:00.000Z',
});

describe('the bell', () => {
  it('groups notifications by subject: the newest one, the number of earlier ones and the unread IDs', () => {
    const groups = groupBySubject([item('4', 'agent:1'), item('3', 'usage'), item('2', 'agent:1'), item('1', 'agent:1', 'read')]);
    assert.deepEqual(
      groups.map(({ newest, earlier, unread }) => [newest.id, earlier, unread]),
      [
        ['4', 2, ['4', '2']],
        ['3', 0, ['3']],
      ],
    );
  });
});
