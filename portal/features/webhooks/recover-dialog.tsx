import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { formatMoment, plural } from '../../ui/text/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import type { Endpoint } from './queries.ts';
import { fieldTime, SPAN_LABELS, SPANS, type Window, windowOf } from './recover-window.ts';
import { refreshAfter } from '../../queries/refresh.ts';

type Range = { since: string; until?: string };
type Counted = { range: Range; answer: Reply<'recoverDeliveries'> };

/** Redelivers missed events: counts them first, then sends exactly those. */
export function RecoverDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { id } = endpoint;
  const [window, setWindow] = useState<Window>(() => ({ span: 'day', since: fieldTime(Date.now() - 86_400_000), until: '' }));
  const [counted, setCounted] = useState<Counted>();
  const count = useMutation({
    // Counting fixes the end of the window, so no event is added before sending.
    mutationFn: async (range: Range) => {
      const fixed = { until: new Date().toISOString(), ...range };
      return { range: fixed, answer: await api.recoverDeliveries({ params: { id }, body: { ...fixed, dryRun: true } }) };
    },
    onSuccess: setCounted,
  });
  const start = useMutation({
    mutationFn: (range: Range) => api.recoverDeliveries({ params: { id }, body: { ...range, dryRun: false } }),
    onSuccess: ({ recovery }) => {
      void refreshAfter('recoveryChanged', id);
      if (!recovery) announce('No missed events left in this period.');
      onClose();
    },
  });
  const range = windowOf(window, Date.now());
  const change = (part: Partial<Window>): void => {
    setWindow((before) => ({ ...before, ...part }));
    setCounted(undefined);
    count.reset();
    start.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (counted && counted.answer.count > 0) start.mutate(counted.range);
    else if (range) count.mutate(range);
  };
  const errors = fieldErrors(count.error);
  const error = start.error ?? (Object.keys(errors).length > 0 ? null : count.error);
  return (
    <Dialog open onClose={onClose} title="Recover missed events">
      <form onSubmit={submit}>
        <p className="mb-4 text-ink-2">
          Sends failed events from a period again, oldest first. Event IDs stay the same, so your receiver can detect events it already has
          already.
        </p>
        <Segmented
          label="Period"
          value={window.span}
          onChange={(span) => change({ span })}
          options={SPANS.map((span) => ({ value: span, label: SPAN_LABELS[span] }))}
        />
        {window.span === 'own' ? <OwnWindow window={window} errors={errors} onChange={change} /> : null}
        <div className="mt-4 grid gap-3" aria-live="polite">
          {error ? <ErrorBlock error={error} /> : null}
          {counted ? <Found {...counted.answer} /> : null}
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            inactive={!range || counted?.answer.count === 0}
            busy={count.isPending ? 'Counting' : start.isPending ? 'Starting' : false}
          >
            {counted && counted.answer.count > 0 ? `Send ${plural(counted.answer.count, 'event')} again` : 'Count missed events'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function OwnWindow({
  window,
  errors,
  onChange,
}: {
  window: Window;
  errors: Record<string, string>;
  onChange: (part: Partial<Window>) => void;
}) {
  return (
    <div className="mt-3 grid gap-3 md:grid-cols-2">
      <TextField
        label="From"
        error={errors['since']}
        type="datetime-local"
        required
        value={window.since}
        onChange={(text) => onChange({ since: text })}
      />
      <TextField
        label="Until"
        note="empty for now"
        error={errors['until']}
        type="datetime-local"
        value={window.until}
        onChange={(text) => onChange({ until: text })}
      />
    </div>
  );
}

function Found({ count, oldest, newest }: Reply<'recoverDeliveries'>) {
  if (count === 0) return <Note tone="ok">No missed events in this period.</Note>;
  return (
    <Note tone="live">
      <b>{plural(count, 'event')} did not arrive.</b>{' '}
      {oldest && newest && oldest !== newest ? `The oldest is from ${formatMoment(oldest)}, the newest from ${formatMoment(newest)}.` : ''}
      {oldest && oldest === newest ? `It is from ${formatMoment(oldest)}.` : ''}{' '}
      {count > 1 ? 'They are sent a few at a time, so new events are not delayed.' : ''}
    </Note>
  );
}
