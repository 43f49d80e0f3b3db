import { type DeliveryStatus, LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { DELIVERY_DAYS } from '@partner-portal/core/trust/retention.ts';
import { useQuery } from '@tanstack/react-query';
import { History, Send } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { plural } from '../../ui/text/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Kbd } from '../../ui/layout/layout.tsx';
import { LiveDot } from '../../ui/feedback/live-dot.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { DeliveryDays } from './delivery-days.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { useSendRefusal, useTestEvent } from './endpoint-actions.tsx';
import { deliveriesQuery, type Delivery, type Endpoint } from './queries.ts';
import type { WebhookSearch } from './webhook-search.ts';
import { RecoveryProgress } from './recovery-progress.tsx';
import { useLiveDeliveries } from './use-live-deliveries.ts';
import { useRowNavigation } from '../../ui/keyboard/use-row-navigation.ts';
import { DELIVERY, PAUSED_EVENTS } from './labels.ts';
import './deliveries-drawer.css';

type Props = {
  endpoint: Endpoint;
  search: WebhookSearch;
  onSearch: (change: WebhookSearch) => void;
  onClose: () => void;
  onRecover: () => void;
};

/** Live log of one endpoint's newest deliveries. */
export function DeliveriesDrawer({ endpoint, search, onSearch, onClose, onRecover }: Props) {
  const list = useQuery(deliveriesQuery(endpoint.id));
  const { live, arrived, spoken } = useLiveDeliveries(endpoint.id);
  const refusal = useSendRefusal(endpoint);
  const test = useTestEvent((delivery) => onSearch({ show: undefined, delivery }));
  const rows = list.data ?? [];
  const sendTest = (size: 'sm' | 'md') => (
    <Button
      size={size}
      icon={<Send aria-hidden />}
      disabledReason={refusal}
      busy={test.isPending && 'Sending'}
      onClick={() => test.mutate(endpoint.id)}
    >
      Send test
    </Button>
  );
  return (
    <Drawer open onClose={onClose} title="Deliveries" meta={<code title={endpoint.url}>{endpoint.url}</code>} actions={sendTest('sm')}>
      <p className="sr-only" role="status">
        {spoken}
      </p>
      <div className="-mx-5 -mt-5">
        <div className="flex flex-wrap items-center gap-2 px-5 py-2.5">
          <Shown rows={rows} show={search.show} onShow={(show) => onSearch({ show, delivery: undefined })} />
          <span className="ml-auto flex items-center gap-2">
            <LiveDot state={live} />
            <Button size="sm" kind="quiet" icon={<History aria-hidden />} disabledReason={refusal} onClick={onRecover}>
              Recover
            </Button>
          </span>
        </div>
        <Notes endpoint={endpoint} />
        <DeliveryDays endpointId={endpoint.id} />
        <Loaded query={list} className="px-5 py-3" skeleton={<SkeletonRows rows={8} label="Loading deliveries" />}>
          {() => <Log rows={rows} endpoint={endpoint} search={search} onSearch={onSearch} arrived={arrived} empty={sendTest('sm')} />}
        </Loaded>
      </div>
    </Drawer>
  );
}

function Shown({
  rows,
  show,
  onShow,
}: {
  rows: readonly Delivery[];
  show: DeliveryStatus | undefined;
  onShow: (show: DeliveryStatus | undefined) => void;
}) {
  const count = (status: DeliveryStatus): number => rows.filter((row) => row.status === status).length;
  return (
    <Segmented
      label="Which deliveries"
      value={show ?? 'all'}
      onChange={(value) => onShow(value === 'all' ? undefined : value)}
      options={[
        { value: 'all', label: <Counted word="All" count={rows.length} /> },
        ...(['delivered', 'pending', 'failed'] as const).map((status) => ({
          value: status,
          label: <Counted word={DELIVERY[status].word} count={count(status)} />,
        })),
      ]}
    />
  );
}

function Counted({ word, count }: { word: string; count: number }) {
  return (
    <>
      {word} <span className="tabular-nums text-ink-3">{count}</span>
    </>
  );
}

function Notes({ endpoint }: { endpoint: Endpoint }) {
  return (
    <div className="grid gap-2 px-5 empty:hidden [&:not(:empty)]:pb-2.5">
      {endpoint.isActive ? null : <Note tone="warn">This endpoint is paused. {PAUSED_EVENTS}</Note>}
      <RecoveryProgress endpoint={endpoint} />
    </div>
  );
}

type LogProps = Pick<Props, 'endpoint' | 'search' | 'onSearch'> & {
  rows: readonly Delivery[];
  arrived: ReadonlySet<string>;
  empty: ReactNode;
};

function Log({ rows, endpoint, search, onSearch, arrived, empty }: LogProps) {
  const list = useRef<HTMLUListElement>(null);
  useRowNavigation(list, '[data-delivery]');
  const shown = search.show ? rows.filter((row) => row.status === search.show || row.id === search.delivery) : rows;
  if (rows.length === 0)
    return (
      <div className="px-5 py-2">
        <EmptyState title="No deliveries yet" actions={empty}>
          Events appear here as they happen, with every attempt, request and response. Send a test to see one.
        </EmptyState>
      </div>
    );
  if (shown.length === 0)
    return (
      <p className="border-t border-line-soft px-5 py-4 text-ink-2">
        None of the newest {rows.length} deliveries are {search.show}.{' '}
        <button type="button" className="link" onClick={() => onSearch({ show: undefined })}>
          Show all
        </button>
      </p>
    );
  return (
    <>
      <ul ref={list} className="deliveries-drawer-log border-t border-line-soft">
        {shown.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            endpoint={endpoint}
            isOpen={delivery.id === search.delivery}
            hasArrived={arrived.has(delivery.id)}
            onOpen={(id) => onSearch({ delivery: id })}
          />
        ))}
      </ul>
      <p className="flex flex-wrap gap-2 px-5 py-3 text-ink-3">
        <span className="tabular-nums">
          {rows.length === LIMITS.deliveriesListed
            ? `The newest ${rows.length}.`
            : `${plural(rows.length, 'delivery', 'deliveries')} in the last ${DELIVERY_DAYS} days.`}
        </span>
        <span className="ml-auto hidden md:inline">
          <Kbd>J</Kbd> <Kbd>K</Kbd> move, <Kbd>Enter</Kbd> open
        </span>
      </p>
    </>
  );
}
