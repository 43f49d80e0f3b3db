import { useState } from 'react';
import { formApi, type Reply } from '../../app/api.ts';
import { fieldTime, formatToMinute, placeOf, plural } from '../../ui/text/format.ts';
import { readerZone } from '../../ui/text/reader.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, FormErrors } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Note } from '../../ui/feedback/note.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import type { Endpoint } from './queries.ts';
import { SPAN_LABELS, SPANS, type Window, windowOf } from './recover-window.ts';
import { refreshAfter } from '../../queries/refresh.ts';

type Range = { since: string; until?: string };
type Counted = { range: Range; answer: Reply<'recoverDeliveries'> };

/** Redelivers missed events: counts them first, then sends exactly those. */
export function RecoverDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const [counted, setCounted] = useState<Counted>();
  const found = counted && counted.answer.count > 0 ? counted : undefined;
  const recover = (range: Range, dryRun: boolean) => formApi.recoverDeliveries({ params: { id: endpoint.id }, body: { ...range, dryRun } });
  const [first] = useState<Window>(() => ({ span: 'day', since: fieldTime(Date.now() - 86_400_000), until: '' }));
  const form = useForm<Window, Counted | undefined>({
    saved: first,
    send: async (values) => {
      if (found) {
        const { recovery } = await recover(found.range, false);
        if (!recovery) announce('No missed events left in this period.');
        return undefined;
      }
      // Counting fixes the end of the window, so no event is added before sending.
      const range = { until: new Date().toISOString(), since: values.since, ...windowOf(values, Date.now()) };
      return { range, answer: await recover(range, true) };
    },
    onSaved: (result) => {
      if (result) return setCounted(result);
      void refreshAfter('recoveryChanged', endpoint.id);
      onClose();
    },
    keepValues: true,
  });
  const window = form.values;
  const range = windowOf(window, Date.now());
  const change = (part: Partial<Window>): void => {
    form.set(part);
    setCounted(undefined);
    form.clearErrors();
  };
  return (
    <Dialog open onClose={onClose} title="Recover missed events">
      <Form form={form} hasSummary={false} className="">
        <p className="mb-4 text-ink-2">
          Sends failed events from a period again, beginning with the oldest. Several are sent at once, so they may arrive in another order.
          Event IDs and <code>createdAt</code> stay the same, so your receiver can order events and detect those it already has.
        </p>
        <Segmented
          label="Period"
          value={window.span}
          onChange={(span) => change({ span })}
          options={SPANS.map((span) => ({ value: span, label: SPAN_LABELS[span] }))}
        />
        {window.span === 'own' ? <OwnWindow window={window} errors={form.errors} onChange={change} /> : null}
        <div className="mt-4 grid gap-3" aria-live="polite">
          <FormErrors form={form} />
          {counted ? <Found {...counted.answer} /> : null}
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            inactive={!range || counted?.answer.count === 0}
            busy={form.isBusy && (found ? 'Starting' : 'Counting')}
          >
            {found ? `Send ${plural(found.answer.count, 'event')} again` : 'Count missed events'}
          </Button>
        </DialogActions>
      </Form>
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
        hint={`${placeOf(readerZone())} time, as set in your profile`}
        error={errors['since']}
        type="datetime-local"
        required
        data-field="since"
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
      {oldest && newest && oldest !== newest
        ? `The oldest is from ${formatToMinute(oldest)}, the newest from ${formatToMinute(newest)}.`
        : ''}
      {oldest && oldest === newest ? `It is from ${formatToMinute(oldest)}.` : ''}{' '}
      {count > 1 ? 'They are sent a few at a time, so new events are not delayed.' : ''}
    </Note>
  );
}
