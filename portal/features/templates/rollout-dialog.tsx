import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../app/api.ts';
import { plural } from '../../ui/text/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Checkbox, Field, Input } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { rolloutPartnersQuery } from './rollout-queries.ts';
import type { Template } from './template.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/forms/field.css';

const BATCH_MAX = 20;

/** Starts a rollout: partners and batch size. */
export function RolloutDialog({ template, open, onClose }: { template: Template; open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={`Roll out version ${template.templateVersion} of ${template.title}`}>
      <RolloutForm template={template} onClose={onClose} />
    </Dialog>
  );
}

function RolloutForm({ template, onClose }: { template: Template; onClose: () => void }) {
  const [scope, setScope] = useState<'all' | 'chosen'>('all');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [batchSize, setBatchSize] = useState(5);
  const partners = useQuery({ ...rolloutPartnersQuery, enabled: scope === 'chosen' });
  const start = useMutation({
    mutationFn: () =>
      api.createRollout({ body: { templateName: template.name, partnerIds: scope === 'all' ? 'all' : [...chosen], batchSize } }),
    onSuccess: (rollout) => {
      void refreshAfter('rolloutStarted', template.name);
      announce(`Rollout to ${plural(rollout.counts.pending, 'agency', 'agencies')} started.`);
      onClose();
    },
  });
  const isReady = scope === 'all' || chosen.size > 0;
  const toggle = (id: string): void =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady && !start.isPending) start.mutate();
  };
  return (
    <form onSubmit={submit} className="mt-3 grid gap-4">
      {start.error ? <ErrorBlock error={start.error} /> : null}
      <p className="text-ink-2">
        Each agency is repaired in place: its agents get the newest version and keep their settings and URLs. It stops after three failures.
      </p>
      <div>
        <p className="field-label">For</p>
        <Segmented
          label="For"
          value={scope}
          onChange={setScope}
          options={[
            { value: 'all', label: 'Every agency on an older version' },
            { value: 'chosen', label: 'Chosen agencies' },
          ]}
        />
      </div>
      {scope === 'chosen' ? (
        <fieldset className="max-h-[220px] overflow-y-auto">
          <legend className="field-label">Agencies</legend>
          {partners.error ? <ErrorBlock error={partners.error} onRetry={() => void partners.refetch()} /> : null}
          {partners.data?.map(({ id, name }) => (
            <Checkbox key={id} label={name} checked={chosen.has(id)} onChange={() => toggle(id)} />
          ))}
        </fieldset>
      ) : null}
      <Field label="Agencies per batch" hint="Each batch starts when the previous one ends." className="max-w-[220px]">
        {(ids) => (
          <Input
            {...ids}
            type="number"
            min={1}
            max={BATCH_MAX}
            required
            value={batchSize}
            onChange={(event) => setBatchSize(Math.min(BATCH_MAX, Math.max(1, Math.trunc(Number(event.target.value)) || 1)))}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" inactive={!isReady} busy={start.isPending && 'Starting'}>
          Roll out
        </Button>
      </DialogActions>
    </form>
  );
}
