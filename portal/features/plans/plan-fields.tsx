import { X } from 'lucide-react';
import { priceStep } from '../../shared/money-input.ts';
import { FEATURE_NAMES, PLAN_FEATURES } from '../../shared/plan-labels.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Checkbox, Field, Input, TextArea } from '../../ui/forms/field.tsx';
import type { Pack, Terms } from './terms.ts';
import '../../ui/forms/field.css';

type Props = { terms: Terms; errors: Record<string, string>; set: (change: Partial<Terms>) => void; isInUse: boolean };
type TextName = 'name' | 'currency' | 'price' | 'seatPrice' | 'seats' | 'clients' | 'credits' | 'auditRetentionDays' | 'trialDays';

/** All fields of a plan. */
export function PlanFields({ terms, errors, set, isInUse }: Props) {
  const step = priceStep(terms.currency.trim().toUpperCase());
  const text = (name: TextName) => ({
    'data-field': name,
    value: terms[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });
  const count = (name: TextName, min = 0) => ({ ...text(name), type: 'number', required: true, min });
  const money = (name: TextName) => ({ ...text(name), type: 'number', min: 0, step, placeholder: '0' });
  return (
    <>
      <Field label="Name" error={errors['name']}>
        {(ids) => <Input {...ids} {...text('name')} required maxLength={60} />}
      </Field>
      <Field label="Description" note="for the public page" error={errors['description']}>
        {(ids) => (
          <TextArea
            {...ids}
            rows={2}
            maxLength={400}
            value={terms.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-3 gap-4">
        <Field label="Price per month" error={errors['price']}>
          {(ids) => <Input {...ids} {...money('price')} />}
        </Field>
        <Field label="Extra seat" error={errors['seatPrice']}>
          {(ids) => <Input {...ids} {...money('seatPrice')} />}
        </Field>
        <Field label="Currency" error={errors['currency']} hint={isInUse ? 'Fixed: agencies are invoiced in it' : undefined}>
          {(ids) => <Input {...ids} {...text('currency')} required maxLength={3} mono readOnly={isInUse} />}
        </Field>
        <Field label="Clients" error={errors['clients']}>
          {(ids) => <Input {...ids} {...count('clients')} />}
        </Field>
        <Field label="Seats" error={errors['seats']}>
          {(ids) => <Input {...ids} {...count('seats', 1)} />}
        </Field>
        <Field label="Credits per month" error={errors['credits']}>
          {(ids) => <Input {...ids} {...count('credits')} />}
        </Field>
      </div>
      <Packs packs={terms.packs} step={step} error={errors['packs']} onChange={(packs) => set({ packs })} />
      <fieldset>
        <legend className="field-label">Features</legend>
        {FEATURE_NAMES.map((name) => (
          <Checkbox
            key={name}
            label={PLAN_FEATURES[name]}
            checked={terms.features[name]}
            onChange={(event) => set({ features: { ...terms.features, [name]: event.target.checked } })}
          />
        ))}
      </fieldset>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Audit log retention" note="days" error={errors['auditRetentionDays']}>
          {(ids) => <Input {...ids} {...count('auditRetentionDays', 1)} />}
        </Field>
        {terms.isTrial ? (
          <Field label="Trial length" note="days" error={errors['trialDays']}>
            {(ids) => <Input {...ids} {...count('trialDays', 1)} max={365} />}
          </Field>
        ) : null}
      </div>
      <fieldset>
        <legend className="sr-only">Availability</legend>
        <Checkbox
          label="Public"
          hint="Shown on the landing page and to applicants"
          checked={terms.isPublic}
          onChange={(event) => set({ isPublic: event.target.checked })}
        />
        <Checkbox
          label="Trial"
          hint={errors['isTrial'] ? <span className="text-bad">{errors['isTrial']}</span> : 'Ends automatically'}
          aria-invalid={errors['isTrial'] ? true : undefined}
          checked={terms.isTrial}
          onChange={(event) => set({ isTrial: event.target.checked })}
        />
      </fieldset>
    </>
  );
}

type PacksProps = { packs: readonly Pack[]; step: string; error: string | undefined; onChange: (packs: readonly Pack[]) => void };

function Packs({ packs, step, error, onChange }: PacksProps) {
  const change = (at: number, part: Partial<Pack>): void => onChange(packs.map((pack, one) => (one === at ? { ...pack, ...part } : pack)));
  return (
    <fieldset className="grid gap-2">
      <legend className="field-label">Credit packs</legend>
      {packs.map((pack, at) => (
        <div key={at} className="flex items-center gap-2">
          <Input
            data-field="packs"
            aria-invalid={error ? true : undefined}
            type="number"
            min={1}
            required
            aria-label={`Credits of pack ${at + 1}`}
            value={pack.credits}
            onChange={(event) => change(at, { credits: event.target.value })}
          />
          <span className="flex-none text-ink-3">credits for</span>
          <Input
            data-field="packs"
            aria-invalid={error ? true : undefined}
            type="number"
            min={0}
            step={step}
            required
            aria-label={`Price of pack ${at + 1}`}
            value={pack.price}
            onChange={(event) => change(at, { price: event.target.value })}
          />
          <IconButton label={`Remove pack ${at + 1}`} onClick={() => onChange(packs.filter((_pack, one) => one !== at))}>
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      {error ? (
        <p className="field-hint" data-bad="">
          {error}
        </p>
      ) : null}
      <div>
        <Button size="sm" onClick={() => onChange([...packs, { id: '', credits: '', price: '' }])}>
          Add pack
        </Button>
      </div>
    </fieldset>
  );
}
