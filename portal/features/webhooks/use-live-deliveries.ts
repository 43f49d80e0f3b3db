import { useEffect, useMemo, useState } from 'react';
import { queryClient, refetchAfterUpdate } from '../../app/query-client.ts';
import { useLive } from '../../app/use-live.ts';
import type { LiveState } from '../../ui/feedback/live-dot.tsx';
import { useSpokenSummary } from '../../ui/hooks/use-spoken-summary.ts';
import { throttle } from '../../ui/hooks/throttle.ts';
import { applyDelivery } from './merge-deliveries.ts';
import { deliveriesQuery, type Delivery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Live updates for the log of an endpoint. Screen readers get one summary per ten seconds. */
export function useLiveDeliveries(endpointId: string): { live: LiveState; arrived: ReadonlySet<string>; spoken: string } {
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const { spoken, addFinished } = useSpokenSummary('delivery', 'deliveries');
  const { queryKey } = deliveriesQuery(endpointId);
  useEffect(() => setArrived(new Set()), [endpointId]);
  const refreshRest = useMemo(
    () =>
      throttle(() => {
        void refreshAfter('deliveryReported', endpointId);
      }, 5000),
    [endpointId],
  );
  const live = useLive({
    path: `/partners/me/webhooks/${endpointId}/deliveries/stream`,
    onEvent: ({ data }) => {
      const delivery = JSON.parse(data) as Delivery; // the contract's record, sent by our own service
      const isNew = !queryClient.getQueryData(queryKey)?.some((row) => row.id === delivery.id);
      queryClient.setQueryData(queryKey, (rows) => rows && applyDelivery(rows, delivery));
      if (isNew) setArrived((before) => new Set([...before, delivery.id]));
      refetchAfterUpdate(queryKey);
      if (delivery.status !== 'pending') addFinished(delivery.id, delivery.status === 'failed');
      refreshRest();
    },
    onCatchUp: () => {
      void refreshAfter('deliveriesOutdated', endpointId);
      refreshRest();
    },
  });
  return { live, arrived, spoken };
}
