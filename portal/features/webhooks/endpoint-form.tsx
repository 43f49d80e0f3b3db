import { type EventType, LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import { codeOf, explain } from '../../app/errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { EndpointSecret } from './endpoint-secret.tsx';
import { type ChosenEvents, EventChoice, eventsToSend, NO_EVENT } from './event-choice.tsx';
import { shortUrl } from './labels.ts';
import { addEndpoint, type Endpoint, putEndpoint, type Registration } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Adds an endpoint, then shows its secret once. `onAdded` receives its ID after that. */
export function AddEndpoint({ onClose, onAdded }: { onClose: () => void; onAdded: (id: string) => void }) {
  const [registration, setRegistration] = useState<Registration>();
  if (registration) return <EndpointSecret registration={registration} onDone={() => onAdded(registration.id)} onLeave={onClose} />;
  return (
    <UrlDialog
      lead="We POST each event to this URL, signed. You get the signing secret in the next step."
      initial=""
      action="Add endpoint"
      hasEvents
      send={(url, events) => formApi.createWebhook({ body: { url, events } })}
      onSaved={(made, events) => {
        addEndpoint(made, events);
        setRegistration(made);
      }}
      onClose={onClose}
    />
  );
}

/** Changes the URL of an endpoint. The secret stays. */
export function ChangeUrl({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const send = async (url: string): Promise<Endpoint> => {
    try {
      return await formApi.updateWebhook({
        params: { id: endpoint.id },
        body: { url },
        headers: { 'if-match': `"${endpoint.updatedAt}"` },
      });
    } catch (error) {
      if (codeOf(error) === 'stale_record') void refreshAfter('endpointsChanged');
      throw error;
    }
  };
  return (
    <UrlDialog
      lead="Waiting events also go to the new URL. The signing secret stays the same."
      initial={endpoint.url}
      action="Change URL"
      send={send}
      onSaved={(record) => {
        putEndpoint(record);
        announce('URL changed.', { detail: 'The signing secret stays the same.' });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

type FormProps<Saved> = {
  lead: string;
  initial: string;
  /** Its title, and its button. */
  action: string;
  /** Whether the events are chosen as well. */
  hasEvents?: boolean;
  send: (url: string, events: EventType[]) => Promise<Saved>;
  onSaved: (saved: Saved, events: EventType[]) => void;
  onClose: () => void;
};

const ALL_EVENTS: ChosenEvents = { isAll: true, events: [] };
const HINT = 'Must be reachable from the internet and return a 2xx status within 10 seconds.';

/** Stays open while it is sent: its answer may hold the only copy of a secret. */
function UrlDialog<Saved>({ lead, initial, action, hasEvents = false, send, onSaved, onClose }: FormProps<Saved>) {
  const form = useForm({
    saved: { url: initial, ...ALL_EVENTS },
    send: (values) => send(values.url.trim(), eventsToSend(values)),
    onSaved: (saved, values) => onSaved(saved, eventsToSend(values)),
    check: (values) => (!values.isAll && values.events.length === 0 ? NO_EVENT : {}),
  });
  const { url, isAll, events } = form.values;
  const { error, ...field } = form.input('url');
  return (
    <Dialog open onClose={onClose} title={action}>
      <p className="mb-4 text-ink-2">{lead}</p>
      <Form form={form} hasSummary={false} className="">
        {codeOf(form.error) === 'webhook_limit_reached' ? (
          <div className="mb-4">
            <Note tone="warn" alert>
              <b>{explain(form.error).title}</b> An agency can have {LIMITS.webhookEndpointsMax} endpoints. Remove one you no longer use.
            </Note>
          </div>
        ) : form.error ? (
          <div className="mb-4">
            <ErrorBlock error={form.error} />
          </div>
        ) : null}
        <TextField
          label="Endpoint URL"
          hint={HINT}
          error={error ? withHint(error) : undefined}
          mono
          autoFocus
          required
          type="text"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2048}
          placeholder="https://crm.example.com/in/agents"
          {...field}
        />
        {hasEvents ? <EventChoice value={{ isAll, events }} onChange={form.set} error={form.errors['events']} /> : null}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            busy={form.isBusy && 'Checking the URL'}
            inactive={url.trim() === '' || url.trim() === initial}
          >
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Changes which events an endpoint is sent. */
export function ChangeEvents({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const form = useForm<ChosenEvents, Endpoint>({
    saved: { isAll: endpoint.events.length === 0, events: endpoint.events },
    send: (values) =>
      formApi.updateWebhook({
        params: { id: endpoint.id },
        body: { events: eventsToSend(values) },
        headers: { 'if-match': `"${endpoint.updatedAt}"` },
      }),
    onSaved: (record) => {
      putEndpoint(record);
      announce('Events changed.', { detail: 'The choice counts for events from now on.' });
      onClose();
    },
    onRefused: () => void refreshAfter('endpointsChanged'),
    check: ({ isAll, events }) => (!isAll && events.length === 0 ? NO_EVENT : {}),
  });
  return (
    <Dialog open onClose={onClose} title="Choose events">
      <p className="text-ink-2 [overflow-wrap:anywhere]">
        Events that are sent to <code>{shortUrl(endpoint.url)}</code> from now on.
      </p>
      <Form form={form} className="">
        <EventChoice value={form.values} onChange={form.set} error={form.errors['events']} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={form.isBusy && 'Saving'}>
            Save events
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Suggests a tunnel for private addresses. */
function withHint(message: string): string {
  return message.includes('not reachable from the internet')
    ? `${message} To test on your own machine, use the public URL of a tunnel.`
    : message;
}
