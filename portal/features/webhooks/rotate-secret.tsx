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
import { useSendRefusal, useTestEvent } from './endpoint-acts.tsx';
import { EndpointSecret } from './endpoint-secret.tsx';
import { addEndpoint, dropEndpoint, type Endpoint, type Registration } from './queries.ts';

type Props = { old: Endpoint; endpoints: readonly Endpoint[]; onClose: () => void };

/**
 * Changes a secret without losing an event: a second endpoint at the same address, both secrets at the receiver, a delivery
 * that proves the new one, and the old endpoint goes. How far it is follows from the endpoints themselves, so it can be left
 * and taken up again.
 */
export function RotateSecret({ old, endpoints, onClose }: Props) {
  const [registration, setRegistration] = useState<Registration>();
  const next = successorOf(old, endpoints);
  const add = useMutation({
    mutationFn: () => api.createWebhook({ body: { url: old.url } }),
    onSuccess: (made) => {
      addEndpoint(made);
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
      <ol className="guide">
        <Step state={next ? 'done' : 'now'} title="Add a second endpoint at the same address">
          {next ? (
            <p className="text-ink-2">It has its own secret. Each event is sent by both, with the same event id.</p>
          ) : (
            <>
              <p className="mb-2 text-ink-2">
                You see its secret next. From then on each event comes twice, with the same event id: once signed with the old secret, once
                with the new.
              </p>
              {isFull ? (
                <Note tone="warn">All {LIMITS.webhookEndpointsMax} endpoints are in use. Remove one that is no longer needed first.</Note>
              ) : (
                <Button kind="primary" busy={add.isPending && 'Adding'} onClick={() => add.mutate()}>
                  Add it and show the secret
                </Button>
              )}
            </>
          )}
        </Step>
        <Step state={!next ? 'later' : hasArrived ? 'done' : 'now'} title="Let your receiver take either secret">
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

/** The endpoint that takes over: the newest at the same address, made after it. */
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
  const test = useTestEvent(() => announce('A test is on its way to the new endpoint.'));
  if (hasArrived) return <p className="text-ink-2">A delivery signed with the new secret was accepted.</p>;
  const hasFailed = next.failureStreak > 0;
  return (
    <>
      <p className="mb-2 text-ink-2">
        Add the new secret beside the old one, then send a test. We wait for the first delivery that is accepted.
      </p>
      {hasFailed ? (
        <div className="mb-2">
          <Note tone="bad">
            The last delivery with the new secret was not accepted. Check that your receiver knows it, then send another test.
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
      announce('Secret rotated.', { detail: 'Only the new secret signs from now on. Take the old one out of your receiver.' });
      dropEndpoint(old.id);
      onDone();
    },
    onError: (error) => announceError(error),
  });
  return (
    <>
      <p className="mb-2 text-ink-2">Its log and its secret go with it. The new endpoint carries on; nothing is missed.</p>
      <Button kind="danger" busy={remove.isPending && 'Removing'} onClick={() => remove.mutate()}>
        Remove the old endpoint
      </Button>
    </>
  );
}
