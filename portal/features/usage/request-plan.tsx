import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { FEATURE_NAMES, limitsOf, PLAN_FEATURES, type PlanFeature, priceOf } from '../../shared/plan-labels.ts';
import { plansQuery } from '../../queries/plans.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Checkbox, Field, Input, TextArea } from '../../ui/forms/field.tsx';
import { FormError } from '../../shared/error-block.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { refreshAfter } from '../../queries/refresh.ts';

const CUSTOM = 'custom';
type Wish = {
  choice: string | undefined;
  seats: string;
  clients: string;
  credits: string;
  features: readonly PlanFeature[];
  message: string;
};

/** Requests another plan or custom terms. Nothing changes until staff approve. */
export function RequestPlanDialog({ current, onClose }: { current: string | undefined; onClose: () => void }) {
  const [wish, setWish] = useState<Wish>({ choice: undefined, seats: '', clients: '', credits: '', features: [], message: '' });
  const plans = useQuery(plansQuery);
  const set = (change: Partial<Wish>): void => setWish((before) => ({ ...before, ...change }));
  const send = useMutation({
    mutationFn: () => api.createPlanRequest({ body: toBody(wish) }),
    onSuccess: () => {
      onClose();
      announce('Request sent.');
      void refreshAfter('planRequestSent');
    },
  });
  const errors = fieldErrors(send.error);
  const isReady = wish.choice !== undefined && wish.message.trim() !== '';
  const others = (plans.data ?? []).filter((plan) => plan.id !== current && !plan.isTrial);
  const plan = others.find((one) => one.id === wish.choice);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady && !send.isPending) send.mutate();
  };
  return (
    <Dialog open onClose={onClose} title="Request a plan">
      <form onSubmit={submit} className="grid gap-4">
        <p className="text-ink-2">We review requests within one working day. Nothing changes until we confirm.</p>
        <FormError error={send.error} />
        <Field label="Plan" note="required" error={errors['planId']} hint={plan ? limitsOf(plan) : undefined}>
          {(ids) => (
            <Select
              {...ids}
              label="Plan"
              value={wish.choice}
              onChange={(choice) => set({ choice })}
              options={[
                ...others.map((one) => ({ value: one.id, label: one.name, hint: `${priceOf(one)} a month` })),
                { value: CUSTOM, label: 'Custom terms' },
              ]}
            />
          )}
        </Field>
        {wish.choice === CUSTOM ? <OwnTerms wish={wish} errors={errors} set={set} /> : null}
        <Field label="Reason" note="required" error={errors['message']}>
          {(ids) => (
            <TextArea {...ids} rows={3} maxLength={2000} value={wish.message} onChange={(event) => set({ message: event.target.value })} />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" inactive={!isReady} busy={send.isPending && 'Sending'}>
            Send request
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function OwnTerms({ wish, errors, set }: { wish: Wish; errors: Record<string, string>; set: (change: Partial<Wish>) => void }) {
  const number = (name: 'seats' | 'clients' | 'credits') => ({
    type: 'number',
    min: 0,
    value: wish[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });
  return (
    <>
      <div className="grid grid-cols-3 gap-4">
        <Field label="Clients" error={errors['desired.clients']}>
          {(ids) => <Input {...ids} {...number('clients')} />}
        </Field>
        <Field label="Seats" error={errors['desired.seats']}>
          {(ids) => <Input {...ids} {...number('seats')} />}
        </Field>
        <Field label="Credits" error={errors['desired.credits']}>
          {(ids) => <Input {...ids} {...number('credits')} />}
        </Field>
      </div>
      <fieldset>
        <legend className="field-label">Features</legend>
        {FEATURE_NAMES.map((name) => (
          <Checkbox
            key={name}
            label={PLAN_FEATURES[name]}
            checked={wish.features.includes(name)}
            onChange={(event) =>
              set({ features: event.target.checked ? [...wish.features, name] : wish.features.filter((one) => one !== name) })
            }
          />
        ))}
      </fieldset>
    </>
  );
}

function toBody({ choice, seats, clients, credits, features, message }: Wish) {
  if (choice !== CUSTOM) return { kind: 'change' as const, ...(choice ? { planId: choice } : {}), message };
  const desired = {
    ...(seats ? { seats: Number(seats) } : {}),
    ...(clients ? { clients: Number(clients) } : {}),
    ...(credits ? { credits: Number(credits) } : {}),
    ...(features.length > 0 ? { features: [...features] } : {}),
  };
  return { kind: 'custom' as const, desired, message };
}
