import { useQuery } from '@tanstack/react-query';
import { overdueQuery } from '../../queries/billing.ts';
import { engineQuery } from '../../queries/engine.ts';
import { staffNavigationQuery, workQueueQuery } from '../../queries/work-queue.ts';

/** What the navigation has read; undefined while it is not known. */
export type Facts = ReturnType<typeof useFacts>;

export function useFacts() {
  const { data: queue } = useQuery(workQueueQuery);
  const { data: overdue } = useQuery(overdueQuery);
  const { data: counts } = useQuery(staffNavigationQuery);
  const { data: engine } = useQuery(engineQuery);
  return { queue, overdue, counts, engine };
}
