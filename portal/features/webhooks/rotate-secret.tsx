import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../app/api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { useSendRefusal, useTestEvent } from './endpoint-actions.tsx';
import { EndpointSecret } from './endpoint-secret.tsx';
import { addEndpoint, dropEndpoint, type Endpoint, type Registration } from './queries.ts';
import './rotate-secret.css';

type Props = { old: Endpoint; endpoints: readonly Endpoint[]; onClose: () => void };

/** Rotates a secret without losing events: adds a second endpoint at the same URL, has the receiver accept both secrets, proves the
 * new one with a delivery, and removes the old endpoint. Progress is derived from the endpoints, so the rotation
 * can be resumed at any time.
 */
export function RotateSecret({ old, endpoints, onClose }: Props) {
  const [registration, setRegistration] = useState<Registration>();
  const next = successorOf(old, endpoints);
  const add = useMutation({
    mutationFn: () => api.createWebhook({ body: { url: old.url, events: old.events } }),
    onSuccess: (made) => {
      addEndpoint(made, old.events);
      setRegistration(made);
    },
    onError: (error) => announceError(error),
  });
  if (registration) {
    const over = (): void => setRegistration(undefined);
    return <EndpointSecret registration={registration} isRotation onDone={over} onLeave={over} />;
  }
  const isFull = endpoints.length >= LIMITS.webhookEndpointsMax;
  const hasArrived = next?.recent.includes('delivered') ?? false;
  return (
    <Dialog open onClose={onClose} title="Rotate the signing secret">
      <p className="mb-4 break-all text-ink-2">
        <code>{old.url}</code>
      </p>
      <ol className="rotate-secret-steps">
        <Step state={next ? 'done' : 'now'} title="Add a second endpoint with the same URL">
          {next ? (
            <p className="text-ink-2">It has its own secret. Both endpoints send each event with the same event ID.</p>
          ) : (
            <>
              <p className="mb-2 text-ink-2">
                You get its secret next. From then on each event arrives twice with the same event ID, once signed with each secret.
              </p>
              {!old.isActive ? (
                <Note tone="warn">
                  This endpoint is paused, and a second one would send to its URL. Switch it on first: the new secret is proved by a
                  delivery.
                </Note>
              ) : isFull ? (
                <Note tone="warn">All {LIMITS.webhookEndpointsMax} endpoints are in use. Remove one that is no longer needed first.</Note>
              ) : (
                <Button kind="primary" busy={add.isPending && 'Adding'} onClick={() => add.mutate()}>
                  Add endpoint and show secret
                </Button>
              )}
            </>
          )}
        </Step>
        <Step state={!next ? 'later' : hasArrived ? 'done' : 'now'} title="Accept both secrets in your receiver">
          {next ? <Proof next={next} hasArrived={hasArrived} /> : null}
        </Step>
        <Step state={hasArrived ? 'now' : 'later'} title="Remove the old endpoint">
          {next && hasArrived ? <Finish old={old} onDone={onClose} /> : null}
        </Step>
      </ol>
      <DialogActions>
        <Button onClick={onClose}>{next ? 'Continue later' : 'Cancel'}</Button>
      </DialogActions>
    </Dialog>
  );
}

/** Returns the replacement: the newest endpoint with the same URL, created later. */
export function successorOf(old: Pick<Endpoint, 'id' | 'url' | 'createdAt'>, endpoints: readonly Endpoint[]): Endpoint | undefined {
  return endpoints
    .filter((one) => one.id !== old.id && one.url === old.url && one.createdAt > old.createdAt)
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
}

function Step({ state, title, children }: { state: 'done' | 'now' | 'later'; title: string; children: ReactNode }) {
  const mark = { done: 'ok', now: 'run', later: 'wait' } as const;
  const word = { done: 'Done', now: 'Now', later: 'Later' };
  return (
    <li data-later={state === 'later' ? '' : undefined} aria-current={state === 'now' ? 'step' : undefined}>
      <Mark kind={mark[state]} size={18} label={word[state]} />
      <p className="font-medium">{title}</p>
      {children}
    </li>
  );
}

function Proof({ next, hasArrived }: { next: Endpoint; hasArrived: boolean }) {
  const refusal = useSendRefusal(next);
  const test = useTestEvent(() => announce('Test event on its way to the new endpoint.'));
  if (hasArrived) return <p className="text-ink-2">Your receiver accepted a delivery signed with the new secret.</p>;
  const hasFailed = next.failureStreak > 0;
  return (
    <>
      <p className="mb-2 text-ink-2">Add the new secret beside the old one, then send a test. We wait for the first accepted delivery.</p>
      {hasFailed ? (
        <div className="mb-2">
          <Note tone="bad">
            The last delivery with the new secret was not accepted. Check that your receiver has the new secret, then send another test.
          </Note>
        </div>
      ) : null}
      <Button disabledReason={refusal} busy={test.isPending && 'Sending'} onClick={() => test.mutate(next.id)}>
        Send test
      </Button>
    </>
  );
}

function Finish({ old, onDone }: { old: Endpoint; onDone: () => void }) {
  const remove = useMutation({
    mutationFn: () => api.deleteWebhook({ params: { id: old.id } }),
    onSuccess: () => {
      announce('Secret rotated.', { detail: 'We now sign with the new secret only. Remove the old one from your receiver.' });
      dropEndpoint(old.id);
      onDone();
    },
    onError: (error) => announceError(error),
  });
  return (
    <>
      <p className="mb-2 text-ink-2">
        {old.isActive
          ? 'Its log and secret are deleted. The new endpoint continues without missing an event.'
          : 'It is paused. Its log and secret are deleted, and what it missed before the new endpoint was added can no longer be recovered.'}
      </p>
      <Button kind="danger" busy={remove.isPending && 'Removing'} onClick={() => remove.mutate()}>
        Remove the old endpoint
      </Button>
    </>
  );
}
