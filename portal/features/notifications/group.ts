import type { Notification } from './queries.ts';

/** What has the same subject, as one: the newest speaks, and how many came before it. */
export type Group = { newest: Notification; earlier: number; unread: readonly string[] };

/** Newest first, in the order in which each subject last had news. */
export function groupBySubject(items: readonly Notification[]): Group[] {
  const groups = new Map<string, { newest: Notification; earlier: number; unread: string[] }>();
  for (const item of items) {
    const group = groups.get(item.subject) ?? { newest: item, earlier: -1, unread: [] };
    group.earlier += 1;
    if (item.readAt === null) group.unread.push(item.id);
    groups.set(item.subject, group);
  }
  return [...groups.values()];
}
