import { useQuery } from '@tanstack/react-query';
import { formApi } from '../../app/api.ts';
import { FEATURE_NAMES, limitsOf, PLAN_FEATURES, type PlanFeature, priceOf } from '../../shared/plan-labels.ts';
import { plansQuery } from '../../queries/plans.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Checkbox, Field, Input, TextArea } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Select } from '../../ui/forms/select.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/forms/field.css';

const CUSTOM = 'custom';
type Values = {
  choice: string | undefined;
  seats: string;
  clients: string;
  credits: string;
  features: readonly PlanFeature[];
  message: string;
};

const EMPTY: Values = { choice: undefined, seats: '', clients: '', credits: '', features: [], message: '' };

/** Requests another plan or custom terms. Nothing changes until staff approve. */
export function RequestPlanDialog({ current, onClose }: { current: string | undefined; onClose: () => void }) {
  const plans = useQuery(plansQuery);
  const form = useForm({
    saved: EMPTY,
    send: (values) => formApi.createPlanRequest({ body: toBody(values) }),
    onSaved: () => {
      onClose();
      announce('Request sent.');
      void refreshAfter('planRequestSent');
    },
    fieldNames: { planId: 'choice' },
  });
  const { values, errors, set } = form;
  const isReady = values.choice !== undefined && values.message.trim() !== '';
  const others = (plans.data ?? []).filter((plan) => plan.id !== current && !plan.isTrial);
  const plan = others.find((one) => one.id === values.choice);
  return (
    <Dialog open onClose={onClose} title="Request a plan">
      <Form form={form} className="grid gap-4">
        <p className="text-ink-2">We review requests within one working day. Nothing changes until we confirm.</p>
        <Field label="Plan" note="required" error={errors['choice']} hint={plan ? limitsOf(plan) : undefined}>
          {(ids) => (
            <Select
              {...ids}
              label="Plan"
              value={values.choice}
              onChange={(choice) => set({ choice })}
              options={[
                ...others.map((one) => ({ value: one.id, label: one.name, hint: `${priceOf(one)} per month` })),
                { value: CUSTOM, label: 'Custom terms' },
              ]}
            />
          )}
        </Field>
        {values.choice === CUSTOM ? <OverrideTerms values={values} errors={errors} set={set} /> : null}
        <Field label="Reason" note="required" error={errors['message']}>
          {(ids) => (
            <TextArea
              {...ids}
              rows={3}
              maxLength={2000}
              value={values.message}
              onChange={(event) => set({ message: event.target.value })}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" inactive={!isReady} busy={form.isBusy && 'Sending'}>
            Send request
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function OverrideTerms({
  values,
  errors,
  set,
}: {
  values: Values;
  errors: Record<string, string>;
  set: (change: Partial<Values>) => void;
}) {
  const number = (name: 'seats' | 'clients' | 'credits') => ({
    'data-field': name,
    type: 'number',
    min: 0,
    value: values[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });
  return (
    <>
      <div className="grid grid-cols-3 gap-4">
        <Field label="Clients" error={errors['clients']}>
          {(ids) => <Input {...ids} {...number('clients')} />}
        </Field>
        <Field label="Seats" error={errors['seats']}>
          {(ids) => <Input {...ids} {...number('seats')} />}
        </Field>
        <Field label="Credits" error={errors['credits']}>
          {(ids) => <Input {...ids} {...number('credits')} />}
        </Field>
      </div>
      <fieldset>
        <legend className="field-label">Features</legend>
        {FEATURE_NAMES.map((name) => (
          <Checkbox
            key={name}
            label={PLAN_FEATURES[name]}
            checked={values.features.includes(name)}
            onChange={(event) =>
              set({ features: event.target.checked ? [...values.features, name] : values.features.filter((one) => one !== name) })
            }
          />
        ))}
      </fieldset>
    </>
  );
}

function toBody({ choice, seats, clients, credits, features, message }: Values) {
  if (choice !== CUSTOM) return { kind: 'change' as const, ...(choice ? { planId: choice } : {}), message };
  const desired = {
    ...(seats ? { seats: Number(seats) } : {}),
    ...(clients ? { clients: Number(clients) } : {}),
    ...(credits ? { credits: Number(credits) } : {}),
    ...(features.length > 0 ? { features: [...features] } : {}),
  };
  return { kind: 'custom' as const, desired, message };
}
