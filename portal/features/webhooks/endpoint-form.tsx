import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import { codeOf, explain, fieldErrors } from '../../app/errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { EndpointSecret } from './endpoint-secret.tsx';
import { addEndpoint, type Endpoint, putEndpoint, type Registration } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** Adds an endpoint, then shows its secret once. `onAdded` receives its ID after that. */
export function AddEndpoint({ onClose, onAdded }: { onClose: () => void; onAdded: (id: string) => void }) {
  const [registration, setRegistration] = useState<Registration>();
  const add = useMutation({
    mutationFn: (url: string) => api.createWebhook({ body: { url } }),
    onSuccess: (made) => {
      addEndpoint(made);
      setRegistration(made);
    },
  });
  if (registration) return <EndpointSecret registration={registration} onDone={() => onAdded(registration.id)} onLeave={onClose} />;
  return (
    <Dialog open onClose={onClose} title="Add endpoint">
      <p className="mb-4 text-ink-2">We POST each event to this URL, signed. You get the signing secret in the next step.</p>
      <UrlForm
        initial=""
        action="Add endpoint"
        busy={add.isPending && 'Checking the URL'}
        error={add.error}
        onSubmit={(url) => add.mutate(url)}
        onClose={onClose}
      />
    </Dialog>
  );
}

/** Changes the URL of an endpoint. The secret stays. */
export function ChangeAddress({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const change = useMutation({
    mutationFn: (url: string) =>
      api.updateWebhook({ params: { id: endpoint.id }, body: { url }, headers: { 'if-match': `"${endpoint.updatedAt}"` } }),
    onSuccess: (record) => {
      putEndpoint(record);
      announce('URL changed.', { detail: 'The signing secret stays the same.' });
      onClose();
    },
    onError: (error) => {
      if (codeOf(error) === 'stale_record') void refreshAfter('endpointsChanged');
    },
  });
  return (
    <Dialog open onClose={onClose} title="Change URL">
      <p className="mb-4 text-ink-2">Waiting events also go to the new URL. The signing secret stays the same.</p>
      <UrlForm
        initial={endpoint.url}
        action="Change URL"
        busy={change.isPending && 'Checking the URL'}
        error={change.error}
        onSubmit={(url) => change.mutate(url)}
        onClose={onClose}
      />
    </Dialog>
  );
}

type FormProps = {
  initial: string;
  action: string;
  busy: string | false;
  error: unknown;
  onSubmit: (url: string) => void;
  onClose: () => void;
};

const HINT = 'Must be reachable from the internet and return a 2xx status within 10 seconds.';

function UrlForm({ initial, action, busy, error, onSubmit, onClose }: FormProps) {
  const [url, setUrl] = useState(initial);
  const field = useRef<HTMLInputElement>(null);
  const fieldError = fieldErrors(error)['url'];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    onSubmit(url.trim());
    field.current?.focus();
  };
  return (
    <form onSubmit={submit}>
      {codeOf(error) === 'webhook_limit_reached' ? (
        <div className="mb-4">
          <Note tone="warn" alert>
            <b>{explain(error).title}</b> An agency has {LIMITS.webhookEndpointsMax} endpoints. Remove one that is no longer used.
          </Note>
        </div>
      ) : error && !fieldError ? (
        <div className="mb-4">
          <ErrorBlock error={error} />
        </div>
      ) : null}
      <TextField
        label="Endpoint URL"
        hint={HINT}
        error={fieldError ? withHint(fieldError) : undefined}
        ref={field}
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
        value={url}
        onChange={setUrl}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" busy={busy} inactive={url.trim() === '' || url.trim() === initial}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Suggests a tunnel for private addresses. */
function withHint(message: string): string {
  return message.includes('not reachable from the internet')
    ? `${message} To test on your own machine, use the public URL of a tunnel.`
    : message;
}
