import type { Notification } from './queries.ts';

/** Notifications with the same subject: the newest one and the number of earlier ones. */
export type Group = { newest: Notification; earlier: number; unread: readonly string[] };

/** Groups notifications by subject, most recent subject first. */
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
