import { PRESET_CURRENCY } from '@partner-portal/contract/vocabulary.ts';
import { useState } from 'react';
import type { StaffPlan } from '../queries/plans.ts';
import { Checkbox, Field, Input } from '../ui/forms/field.tsx';
import { formatNumber } from '../ui/text/format.ts';
import { priceStep, typedAmount } from './money-input.ts';
import { hasOverrides, type OverrideValues, withFeature } from './overrides.ts';
import { FEATURE_NAMES, PLAN_FEATURES } from './plan-labels.ts';

type Props = {
  values: OverrideValues;
  /** The chosen plan; its terms are the placeholders. */
  plan: StaffPlan | undefined;
  errors: Record<string, string>;
  set: (change: Partial<OverrideValues>) => void;
};
type TextName = Exclude<keyof OverrideValues, 'features'>;

/** Overrides of a plan; collapsed while there are none. */
export function OverrideFields({ values, plan, errors, set }: Props) {
  const isOwn = hasOverrides(values);
  const [hadOverrides] = useState(isOwn);
  const currency = plan?.currency ?? PRESET_CURRENCY;
  const field = (name: TextName, label: string, standard: string | undefined, input: { min?: number; step?: string } = {}) => (
    <Field label={label} error={errors[name]}>
      {(ids) => (
        <Input
          {...ids}
          data-field={name}
          type="number"
          min={0}
          {...input}
          placeholder={standard ?? ''}
          value={values[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  const money = { step: priceStep(currency) };
  return (
    <details open={hadOverrides} className="border-y border-line-soft py-2.5">
      <summary className="cursor-pointer font-medium">
        Override plan terms {isOwn ? <span className="font-normal text-ink-3">some</span> : null}
      </summary>
      <p className="mt-2 text-xs text-ink-3">Leave a field empty to keep the plan’s value.</p>
      <div className="mt-3 grid grid-cols-2 gap-4 md:grid-cols-3">
        {field('price', `Price per month (${currency})`, plan && typedAmount(plan.monthlyPriceMinor, currency), money)}
        {field('seatPrice', `Extra seat (${currency})`, plan && typedAmount(plan.seatPriceMinor, currency), money)}
        {field('seats', 'Seats', plan && formatNumber(plan.includedSeats), { min: 1 })}
        {field('clients', 'Clients', plan && formatNumber(plan.includedClients))}
        {field('credits', 'Credits per month', plan && formatNumber(plan.monthlyCredits))}
        {field('retention', 'Audit log, days', plan && formatNumber(plan.features.auditRetentionDays), { min: 1 })}
      </div>
      <fieldset className="mt-3 grid md:grid-cols-2">
        <legend className="sr-only">Features</legend>
        {FEATURE_NAMES.map((name) => (
          <Checkbox
            key={name}
            label={PLAN_FEATURES[name]}
            checked={values.features[name] ?? plan?.features[name] ?? false}
            onChange={(event) => set({ features: withFeature(values.features, name, event.target.checked, plan) })}
          />
        ))}
      </fieldset>
    </details>
  );
}
