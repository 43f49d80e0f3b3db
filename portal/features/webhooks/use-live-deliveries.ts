import { useEffect, useMemo, useRef, useState } from 'react';
import { queryClient, readAgainAfterNews } from '../../app/query-client.ts';
import { plural } from '../../ui/text/format.ts';
import { useLive } from '../../app/use-live.ts';
import type { LiveState } from '../../ui/feedback/live-dot.tsx';
import { throttle } from '../../ui/hooks/throttle.ts';
import { applyDelivery } from './merge-deliveries.ts';
import { deliveriesQuery, type Delivery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

const SUMMARY_MS = 10_000;

/** Live updates for the log of an endpoint. Screen readers get one summary per ten seconds. */
export function useLiveDeliveries(endpointId: string): { live: LiveState; arrived: ReadonlySet<string>; spoken: string } {
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const { spoken, hear } = useSpokenSummary();
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
      readAgainAfterNews(queryKey);
      hear(delivery);
      refreshRest();
    },
    onCatchUp: () => {
      void refreshAfter('deliveriesOutdated', endpointId);
      refreshRest();
    },
  });
  return { live, arrived, spoken };
}

/** Announces one summary per ten seconds instead of one per attempt. */
function useSpokenSummary(): { spoken: string; hear: (delivery: Delivery) => void } {
  const [spoken, setSpoken] = useState('');
  const ended = useRef(new Map<string, boolean>());
  useEffect(() => {
    const timer = setInterval(() => {
      if (ended.current.size === 0) return;
      const failed = [...ended.current.values()].filter((isFailed) => isFailed).length;
      setSpoken(`${plural(ended.current.size, 'delivery', 'deliveries')} finished, ${failed} failed.`);
      ended.current = new Map();
    }, SUMMARY_MS);
    return () => clearInterval(timer);
  }, []);
  const hear = (delivery: Delivery): void => {
    if (delivery.status !== 'pending') ended.current.set(delivery.id, delivery.status === 'failed');
  };
  return { spoken, hear };
}
