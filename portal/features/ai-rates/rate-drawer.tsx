import { PRESET_CURRENCY, AI_PROVIDERS, type AiProvider } from '@partner-portal/contract/vocabulary.ts';
import { useId } from 'react';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import type { StaffAiRate } from '../../queries/ai-rates.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { modelName, rateOf } from '../../shared/ai-rate-labels.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Checkbox, Field, Input } from '../../ui/forms/field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import { costOf, minorPerThousand, perMillion } from './cost.ts';

type Values = {
  provider: AiProvider;
  model: string;
  inputCredits: string;
  outputCredits: string;
  inputCost: string;
  outputCost: string;
  currency: string;
  isOffered: boolean;
};
type Props = { rate: StaffAiRate | undefined; versions: readonly StaffAiRate[]; onClose: () => void };

/** Publishes a new version of a model's rate, or the first one of a new model. */
export function RateDrawer({ rate, versions, onClose }: Props) {
  const id = useId();
  const refusal = useRefusal('partners.manage');
  const form = useForm({
    saved: valuesOf(versions[0] ?? rate),
    send: async (values) => await formApi.changeAiRate({ body: toBody(values) }),
    onSaved: (saved) => {
      announce(`Version ${saved.version} of ${modelName(saved.model)} is published.`);
      void refreshAfter('aiRatesChanged');
      onClose();
    },
    fieldNames: { inputCostMinor: 'inputCost', outputCostMinor: 'outputCost' },
  });
  const { values, errors, set } = form;
  const number = (name: 'inputCredits' | 'outputCredits' | 'inputCost' | 'outputCost') => ({
    'data-field': name,
    type: 'number',
    min: 0,
    step: 'any',
    required: true,
    value: values[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });
  return (
    <Drawer
      open
      onClose={onClose}
      title={rate ? modelName(rate.model) : 'New model'}
      meta={rate ? PROVIDERS[rate.provider].name : 'Language model'}
    >
      <Form id={id} form={form}>
        <Note tone="live">A new version counts for calls from now on. Calls that are made keep the version they began with.</Note>
        {rate ? null : (
          <div className="grid grid-cols-2 gap-4">
            <Field label="Provider" error={errors['provider']}>
              {(ids) => (
                <Select
                  {...ids}
                  label="Provider"
                  value={values.provider}
                  onChange={(value) => set({ provider: value === 'anthropic' ? 'anthropic' : 'openai' })}
                  options={AI_PROVIDERS.map((value) => ({ value, label: PROVIDERS[value].name }))}
                />
              )}
            </Field>
            <Field label="Model" error={errors['model']}>
              {(ids) => (
                <Input
                  {...ids}
                  data-field="model"
                  required
                  maxLength={100}
                  mono
                  value={values.model}
                  onChange={(event) => set({ model: event.target.value })}
                />
              )}
            </Field>
          </div>
        )}
        <div className="grid grid-cols-2 gap-4">
          <Field label="Input" note="credits for 1,000 tokens" error={errors['inputCredits']}>
            {(ids) => <Input {...ids} {...number('inputCredits')} />}
          </Field>
          <Field label="Output" note="credits for 1,000 tokens" error={errors['outputCredits']}>
            {(ids) => <Input {...ids} {...number('outputCredits')} />}
          </Field>
          <Field label="Input cost" note="of a million tokens" error={errors['inputCost']}>
            {(ids) => <Input {...ids} {...number('inputCost')} />}
          </Field>
          <Field label="Output cost" note="of a million tokens" error={errors['outputCost']}>
            {(ids) => <Input {...ids} {...number('outputCost')} />}
          </Field>
          <Field label="Currency" error={errors['currency']}>
            {(ids) => (
              <Input
                {...ids}
                data-field="currency"
                required
                maxLength={3}
                mono
                value={values.currency}
                onChange={(event) => set({ currency: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Checkbox
          label="Offered on the platform key"
          hint="Otherwise agencies need their own key for it"
          checked={values.isOffered}
          onChange={(event) => set({ isOffered: event.target.checked })}
        />
      </Form>
      <div className="mt-5">
        <Button kind="primary" type="submit" form={id} disabledReason={refusal} busy={form.isBusy && 'Publishing'}>
          Publish version
        </Button>
      </div>
      {versions.length > 0 ? (
        <div className="mt-7">
          <Section title="Versions">
            <Table label="Versions" columns={COLUMNS} rows={versions} rowKey={(row) => row.id} dense />
          </Section>
        </div>
      ) : null}
    </Drawer>
  );
}

const COLUMNS: Column<StaffAiRate>[] = [
  { key: 'version', head: 'Version', lead: true, cell: (row) => `${row.version}${row.isOffered ? '' : ', not offered'}` },
  { key: 'rate', head: 'Credits', align: 'end', cell: (row) => `${rateOf(row.inputCredits)} / ${rateOf(row.outputCredits)}` },
  {
    key: 'cost',
    head: 'Cost',
    align: 'end',
    hide: 'phone',
    cell: (row) => `${costOf(row.inputCostMinor, row.currency)} / ${costOf(row.outputCostMinor, row.currency)}`,
  },
  { key: 'at', head: 'Since', align: 'end', cell: (row) => <Time iso={row.createdAt} className="text-ink-2" /> },
];

function valuesOf(rate: StaffAiRate | undefined): Values {
  if (!rate)
    return {
      provider: 'openai',
      model: '',
      inputCredits: '',
      outputCredits: '',
      inputCost: '',
      outputCost: '',
      currency: PRESET_CURRENCY,
      isOffered: true,
    };
  const { provider, model, inputCredits, outputCredits, inputCostMinor, outputCostMinor, currency, isOffered } = rate;
  return {
    provider,
    model,
    inputCredits: String(inputCredits),
    outputCredits: String(outputCredits),
    inputCost: String(perMillion(inputCostMinor, currency)),
    outputCost: String(perMillion(outputCostMinor, currency)),
    currency,
    isOffered,
  };
}

function toBody({ provider, model, inputCredits, outputCredits, inputCost, outputCost, currency: typed, isOffered }: Values) {
  const currency = typed.trim().toUpperCase();
  // The server refuses what is no currency; its number of digits is not known then.
  const known = /^[A-Z]{3}$/.test(currency) ? currency : PRESET_CURRENCY;
  return {
    provider,
    model: model.trim(),
    inputCredits: Number(inputCredits || 0),
    outputCredits: Number(outputCredits || 0),
    inputCostMinor: minorPerThousand(inputCost, known),
    outputCostMinor: minorPerThousand(outputCost, known),
    currency,
    isOffered,
  };
}
