import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { formatMoment } from '../../ui/text/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { CopyLink } from '../../ui/controls/copy-link.tsx';
import { type Json, JsonViewer } from '../../ui/text/json-viewer.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { SignatureChecker } from '../../shared/signature-checker.tsx';
import { Attempts } from './attempts.tsx';
import { useSendRefusal } from './endpoint-actions.tsx';
import { type Attempt, deliveriesQuery, type Delivery, type Endpoint } from './queries.ts';
import { applyDelivery } from './merge-deliveries.ts';
import { useNow } from './use-now.ts';
import { nextAttemptText, sentOf, waitsText } from './labels.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/text/json-viewer.css';

type Props = { delivery: Delivery; endpoint: Endpoint; onOpen: (id: string) => void };

/** One delivery: status, error and fix, attempts, request and response. */
export function DeliveryDetails({ delivery, endpoint, onOpen }: Props) {
  const { attempts } = delivery;
  const [picked, setPicked] = useState<number>();
  const newest = attempts.findLast((attempt) => attempt.durationMs !== null) ?? attempts.at(-1);
  const shown = attempts.find((attempt) => attempt.n === picked) ?? newest;
  // "Attempts exhausted" is not a cause; show the last attempt's error.
  const trouble =
    (delivery.reason === 'attempts_exhausted' ? newest?.explanation : null) ?? delivery.explanation ?? newest?.explanation ?? null;
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-xs">
        <Standing delivery={delivery} />
        <Redeliver delivery={delivery} endpoint={endpoint} onOpen={onOpen} />
      </div>
      {trouble ? (
        <p className="text-pretty">
          {trouble.message} <span className="text-ink-2">{trouble.hint}</span>
        </p>
      ) : null}
      {attempts.length > 0 ? <Attempts attempts={attempts} chosen={shown?.n} onChoose={setPicked} /> : null}
      <Exchange delivery={delivery} endpoint={endpoint} attempt={shown} />
      <p className="tabular-nums text-xs text-ink-3">
        Event <code className="mr-1 break-all">{delivery.eventId}</code> <CopyLink text={delivery.eventId} />
        {delivery.redeliveryOf ? ' The ID stays the same when an event is sent again.' : ''}
      </p>
    </div>
  );
}

function Standing({ delivery }: { delivery: Delivery }) {
  const { status, nextAttemptAt, attempts, finishedAt, maxAttempts } = delivery;
  const now = useNow(status === 'pending');
  if (status === 'pending') {
    const next = nextAttemptText(nextAttemptAt, now);
    return (
      <span className="tabular-nums" role="timer" aria-live="off">
        <b className="font-medium">{next ?? (attempts.length === 0 ? 'Waiting to be sent' : 'Sending now')}</b>{' '}
        <span className="text-ink-3">{waitsText(attempts) ?? ''}</span>
      </span>
    );
  }
  const when = formatMoment(finishedAt ?? delivery.createdAt);
  return (
    <span className="tabular-nums">
      <b className="font-medium">
        {status === 'delivered'
          ? 'Delivered'
          : delivery.reason === 'attempts_exhausted'
            ? `Failed after ${maxAttempts} attempts`
            : 'Not delivered'}
      </b>{' '}
      <span className="text-ink-3">
        {when}
        {attempts.length > 1 ? `, ${waitsText(attempts) ?? 'immediately'}` : ''}
      </span>
    </span>
  );
}

/** Sends the event again and opens the new delivery. */
function Redeliver({ delivery, endpoint, onOpen }: Props) {
  const refusal = useSendRefusal(endpoint);
  const send = useMutation({
    mutationFn: () => api.redeliver({ params: { id: endpoint.id, deliveryId: delivery.id } }),
    onSuccess: (again) => {
      queryClient.setQueryData(deliveriesQuery(endpoint.id).queryKey, (rows) => rows && applyDelivery(rows, again));
      void refreshAfter('endpointsChanged');
      announce('Event sent again.', { detail: 'Same event ID, new signature.' });
      onOpen(again.id);
    },
    onError: (error) => announceError(error),
  });
  return (
    <Button
      size="sm"
      className="ml-auto"
      icon={<RotateCw aria-hidden />}
      disabledReason={refusal}
      busy={send.isPending && 'Sending'}
      onClick={() => send.mutate()}
    >
      {delivery.status === 'pending' ? 'Send now' : 'Send again'}
    </Button>
  );
}

/** The exact request and the response of the selected attempt, and a check of its signature. */
function Exchange({ delivery, endpoint, attempt }: { delivery: Delivery; endpoint: Endpoint; attempt: Attempt | undefined }) {
  const [side, setSide] = useState<'request' | 'response' | 'signature'>('request');
  const choice = (
    <Segmented
      label="Request, response or signature"
      value={side}
      onChange={setSide}
      options={[
        { value: 'request', label: 'Request' },
        { value: 'response', label: 'Response' },
        { value: 'signature', label: 'Signature' },
      ]}
    />
  );
  if (side === 'request')
    return (
      <JsonViewer
        name={choice}
        value={JSON.parse(delivery.requestBody) as Json} // written by our own service as JSON
        text={delivery.requestBody}
        above={<RequestHeaders url={endpoint.url} type={delivery.eventType} attempt={attempt} />}
      />
    );
  if (side === 'signature')
    return (
      <div className="grid grid-cols-1 gap-3">
        <div>{choice}</div>
        {attempt?.signature ? (
          <>
            <p className="text-ink-2">
              As attempt {attempt.n} sent it. Enter your receiver’s secret, or replace body and header with what it received. The check runs
              in your browser.
            </p>
            <SignatureChecker
              key={attempt.signature}
              filled={{ body: delivery.requestBody, header: attempt.signature }}
              sent={sentOf([delivery])}
            />
          </>
        ) : (
          <p className="text-ink-2">{attempt ? `No signature is stored for attempt ${attempt.n}.` : 'Not sent yet.'}</p>
        )}
      </div>
    );
  return (
    <CodeBlock name={choice} code={attempt?.responsePreview ?? ''}>
      <span className="json-null">{responseLine(attempt)}</span>
      {attempt?.responsePreview ? `\n\n${attempt.responsePreview}` : ''}
    </CodeBlock>
  );
}

function RequestHeaders({ url, type, attempt }: { url: string; type: string; attempt: Attempt | undefined }) {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  return (
    <>
      <span className="json-null">POST</span> {path}
      {'\n'}
      <span className="json-null">Content-Type:</span> application/json
      {'\n'}
      <span className="json-null">X-Service-Event:</span> {type}
      {'\n'}
      <span className="json-null">X-Service-Signature:</span>{' '}
      {attempt?.signature ?? (
        <>
          t=…,v1=… <span className="json-null">new for each attempt</span>
        </>
      )}
      {'\n\n'}
    </>
  );
}

function responseLine(attempt: Attempt | undefined): string {
  if (!attempt) return 'Not sent yet.';
  if (attempt.durationMs === null) return `Attempt ${attempt.n} is in progress.`;
  if (attempt.httpStatus === null) return `Attempt ${attempt.n} got no response.`;
  return `Attempt ${attempt.n}: ${attempt.httpStatus}${attempt.responsePreview ? '' : ', empty body'}`;
}
