import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useRefusal } from '../../app/current-user.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { DeliveriesDrawer } from './deliveries-drawer.tsx';
import { CheckSignature } from './check-signature.tsx';
import { AddEndpoint, ChangeEvents, ChangeUrl } from './endpoint-form.tsx';
import { type EndpointAction, EndpointRow } from './endpoint-row.tsx';
import { type Endpoint, endpointsQuery } from './queries.ts';
import type { WebhookSearch } from './webhook-search.ts';
import { RecoverDialog } from './recover-dialog.tsx';
import { RemoveEndpoint } from './remove-endpoint.tsx';
import { RotateSecret, successorOf } from './rotate-secret.tsx';
import { useRowNavigation } from '../../ui/keyboard/use-row-navigation.ts';
import { shortUrl } from './labels.ts';
import { useLoaded } from '../../app/route-data.ts';
import './webhooks-page.css';

type Props = { search: WebhookSearch; onSearch: (change: WebhookSearch) => void };
type Open = { act: 'add' } | { act: 'address' | 'events' | 'check' | 'remove' | 'recover'; id: string } | undefined;

/** The partner's webhook endpoints, their logs and actions. */
export function WebhooksPage({ search, onSearch }: Props) {
  const endpoints = useLoaded(endpointsQuery);
  const refusal = useRefusal('webhooks.manage');
  const [open, setOpen] = useState<Open>();
  const close = useCallback(() => setOpen(undefined), []);
  const closeDrawer = useCallback(() => onSearch({ endpoint: undefined, show: undefined, delivery: undefined }), [onSearch]);
  const find = (id: string | undefined): Endpoint | undefined => endpoints.find((endpoint) => endpoint.id === id);
  const shown = find(search.endpoint);
  const first = shown ?? endpoints[0];
  const rotated = refusal ? undefined : find(search.rotate);
  const isFull = endpoints.length >= LIMITS.webhookEndpointsMax;
  const act = (what: EndpointAction, endpoint: Endpoint): void =>
    what === 'rotate' ? onSearch({ rotate: endpoint.id }) : setOpen({ act: what, id: endpoint.id });
  const add = (
    <Button
      kind={endpoints.length === 0 ? 'primary' : 'default'}
      icon={<Plus aria-hidden />}
      disabledReason={refusal ?? (isFull ? `All ${LIMITS.webhookEndpointsMax} endpoints are in use. Remove one first.` : undefined)}
      onClick={() => setOpen({ act: 'add' })}
    >
      Add endpoint
    </Button>
  );
  return (
    <section aria-label="Webhooks" className={shown ? 'webhooks-page-beside-drawer' : 'max-w-page'}>
      {endpoints.length === 0 ? (
        <EmptyState
          title="No webhook endpoints yet"
          actions={
            <>
              {add}
              <Link to="/dashboard/developer" search={{ tab: 'events' }} className={buttonClass('quiet')}>
                View events
              </Link>
            </>
          }
        >
          Get notified in your own systems when a request is resolved, a client is invited or credits run low. We POST signed events to your
          URL and retry if it does not respond.
        </EmptyState>
      ) : (
        <>
          <p className="tabular-nums mb-3 text-ink-2">
            We POST signed events to your own systems. {endpoints.length} of {LIMITS.webhookEndpointsMax} endpoints used.
          </p>
          <Endpoints endpoints={endpoints} openId={shown?.id} onAct={act} onRotate={(id) => onSearch({ rotate: id })} />
          <div className="mt-4 flex flex-wrap gap-2">
            {add}
            {first ? (
              <Button kind="quiet" onClick={() => setOpen({ act: 'check', id: first.id })}>
                Check a signature
              </Button>
            ) : null}
          </div>
        </>
      )}
      {search.endpoint && !shown ? <Gone onClose={closeDrawer} /> : null}
      {shown ? (
        <DeliveriesDrawer
          key={shown.id}
          endpoint={shown}
          search={search}
          onSearch={onSearch}
          onClose={closeDrawer}
          onRecover={() => setOpen({ act: 'recover', id: shown.id })}
        />
      ) : null}
      {rotated ? <RotateSecret old={rotated} endpoints={endpoints} onClose={() => onSearch({ rotate: undefined })} /> : null}
      <Acts
        open={open}
        endpoints={endpoints}
        endpoint={open && 'id' in open ? find(open.id) : undefined}
        onClose={close}
        onAdded={(endpoint) => {
          close();
          onSearch({ endpoint, show: undefined, delivery: undefined });
        }}
        onRemoved={(id) => {
          close();
          if (id === search.endpoint) closeDrawer();
        }}
      />
    </section>
  );
}

type ListProps = {
  endpoints: readonly Endpoint[];
  openId: string | undefined;
  onAct: (act: EndpointAction, endpoint: Endpoint) => void;
  onRotate: (id: string) => void;
};

function Endpoints({ endpoints, openId, onAct, onRotate }: ListProps) {
  const list = useRef<HTMLUListElement>(null);
  useRowNavigation(list, '[data-endpoint]');
  const refusal = useRefusal('webhooks.manage');
  const doubled = endpoints.find((endpoint) => successorOf(endpoint, endpoints));
  return (
    <>
      {doubled && !refusal ? (
        <div className="mb-3">
          <Note
            tone="live"
            action={
              <Button size="sm" onClick={() => onRotate(doubled.id)}>
                Continue
              </Button>
            }
          >
            <b>Two endpoints share a URL.</b> {shortUrl(doubled.url)} gets each event twice until you finish the rotation.
          </Note>
        </div>
      ) : null}
      <ul ref={list} className="webhooks-page-endpoints border-t border-line" aria-label="Endpoints">
        {endpoints.map((endpoint) => (
          <EndpointRow key={endpoint.id} endpoint={endpoint} isOpen={endpoint.id === openId} onAct={onAct} />
        ))}
      </ul>
    </>
  );
}

type ActsProps = {
  open: Open;
  endpoints: readonly Endpoint[];
  endpoint: Endpoint | undefined;
  onClose: () => void;
  onAdded: (id: string) => void;
  onRemoved: (id: string) => void;
};

function Acts({ open, endpoints, endpoint, onClose, onAdded, onRemoved }: ActsProps) {
  if (open?.act === 'add') return <AddEndpoint onClose={onClose} onAdded={onAdded} />;
  if (!open || !endpoint) return null;
  if (open.act === 'address') return <ChangeUrl endpoint={endpoint} onClose={onClose} />;
  if (open.act === 'events') return <ChangeEvents endpoint={endpoint} onClose={onClose} />;
  if (open.act === 'check') return <CheckSignature endpoints={endpoints} first={endpoint} onClose={onClose} />;
  if (open.act === 'recover') return <RecoverDialog endpoint={endpoint} onClose={onClose} />;
  return <RemoveEndpoint endpoint={endpoint} onClose={onClose} onRemoved={() => onRemoved(endpoint.id)} />;
}

/** Handles a link to a removed endpoint. */
function Gone({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onClose, 8000);
    return () => clearTimeout(timer);
  }, [onClose]);
  return (
    <div className="mt-4">
      <Note tone="warn">That endpoint was removed.</Note>
    </div>
  );
}
