import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useCallback } from 'react';
import { formApi, type Reply } from '../../app/api.ts';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Checkbox, Field, Input } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { usePartnerChoices } from '../../shared/choices.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { TextFilter } from '../../ui/table/filter-bar.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import type { Template } from './template.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/forms/field.css';

/** Starts a rollout: partners and batch size. */
export function RolloutDialog({ template, open, onClose }: { template: Template; open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={`Roll out version ${template.templateVersion} of ${template.title}`}>
      <RolloutForm template={template} onClose={onClose} />
    </Dialog>
  );
}

type Rollout = Reply<'createRollout'>;
type Choice = { scope: 'all' | 'chosen'; partnerIds: readonly string[]; batchSize: number };

function RolloutForm({ template, onClose }: { template: Template; onClose: () => void }) {
  const form = useForm<Choice, Rollout>({
    saved: { scope: 'all', partnerIds: [], batchSize: 5 },
    send: ({ partnerIds, batchSize, ...chosen }) =>
      formApi.createRollout({
        body: { templateName: template.name, partnerIds: chosen.scope === 'all' ? 'all' : [...partnerIds], batchSize },
      }),
    onSaved: (rollout) => {
      void refreshAfter('rolloutStarted', template.name);
      announce(`Roll-out to ${plural(rollout.counts.pending, 'agency', 'agencies')} started.`);
      onClose();
    },
  });
  const { scope, partnerIds, batchSize } = form.values;
  const partners = usePartnerChoices(undefined, { isAsked: scope === 'chosen' });
  const onText = partners.search?.onText;
  const find = useCallback((text: string | undefined) => onText?.(text ?? ''), [onText]);
  const isReady = scope === 'all' || partnerIds.length > 0;
  const toggle = (id: string): void =>
    form.set({ partnerIds: partnerIds.includes(id) ? partnerIds.filter((one) => one !== id) : [...partnerIds, id] });
  return (
    <Form form={form} className="mt-3 grid gap-4">
      <p className="text-ink-2">
        Each agency is repaired in place: its agents get the newest version and keep their settings and URLs. It stops after three failures.
      </p>
      <div>
        <p className="field-label">For</p>
        <Segmented
          label="For"
          value={scope}
          onChange={(next) => form.set({ scope: next })}
          options={[
            { value: 'all', label: 'Every agency on an older version' },
            { value: 'chosen', label: 'Chosen agencies' },
          ]}
        />
      </div>
      {scope === 'chosen' ? (
        <fieldset>
          <legend className="field-label">
            Agencies{partnerIds.length > 0 ? <span className="field-note">{formatNumber(partnerIds.length)} chosen</span> : null}
          </legend>
          {partners.error ? <ErrorBlock error={partners.error} onRetry={partners.retry} /> : null}
          {partners.search ? (
            <>
              <TextFilter text={partners.search.text} onText={find} placeholder="Find an agency" isWide />
              <p role="status" className="py-1.5 text-xs text-ink-3 empty:hidden">
                {partners.search.note}
              </p>
            </>
          ) : null}
          <div className="max-h-55 overflow-y-auto">
            {partners.options.map(({ value, label }) => (
              <Checkbox key={value} label={label} checked={partnerIds.includes(value)} onChange={() => toggle(value)} />
            ))}
          </div>
        </fieldset>
      ) : null}
      <Field
        label="Agencies per batch"
        hint="Each batch starts when the previous one ends."
        error={form.errors['batchSize']}
        className="max-w-55"
      >
        {(ids) => (
          <Input
            {...ids}
            type="number"
            min={1}
            max={LIMITS.rolloutBatchMax}
            required
            value={batchSize}
            onChange={(event) =>
              form.set({ batchSize: Math.min(LIMITS.rolloutBatchMax, Math.max(1, Math.trunc(Number(event.target.value)) || 1)) })
            }
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" inactive={!isReady} busy={form.isBusy && 'Starting'}>
          Roll out
        </Button>
      </DialogActions>
    </Form>
  );
}
