import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { decimalsOf } from '@partner-portal/core/billing/currency.ts';
import { useQuery } from '@tanstack/react-query';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { queryClient } from '../../app/query-client.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { type ResultValues, resultValuesQuery } from './queries.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { minorOf, typedAmount } from '../../shared/money-input.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Input, TextField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { formatPrice } from '../../ui/text/format.ts';

/** What one result of each agent is thought to be worth, for all clients of the agency. Reports show no amounts until one is set. */
export function ResultValuesSection() {
  const values = useQuery(resultValuesQuery);
  const isOn = values.data?.values.some(({ valueMinor }) => valueMinor !== null);
  return (
    <Section title="Worth of a result" note={values.data ? (isOn ? 'shown to all clients' : 'off') : undefined}>
      <p className="mb-2 text-ink-2 text-pretty">
        Reports and their mail say what the results are worth, as your estimate. Without amounts they say nothing of money.
      </p>
      <Loaded query={values}>{(data) => <ValuesForm data={data} />}</Loaded>
    </Section>
  );
}

type Draft = { currency: string; values: { readonly [templateName: string]: string } };

function draftOf({ currency, values }: ResultValues): Draft {
  return {
    currency,
    values: Object.fromEntries(
      values.map(({ templateName, valueMinor }) => [templateName, valueMinor === null ? '' : typedAmount(valueMinor, currency)]),
    ),
  };
}

/**
 * Returns the amount in minor units; NaN for a text that is none. A comma is a decimal mark too, but "1,200" is refused: some mean one
 * thousand by it.
 */
function amountOf(text: string, currency: string): number {
  const decimals = decimalsOf(currency);
  // A comma before three digits separates thousands also where a currency has three decimals.
  const isAmount = decimals === 0 ? /^\d*$/ : new RegExp(`^\\d*(?:\\.\\d{1,${decimals}}|,\\d{1,2})?$`);
  return isAmount.test(text.trim()) ? minorOf(text.replace(',', '.'), currency) : Number.NaN;
}

const codeOf = ({ currency }: Draft): string => currency.trim().toUpperCase();

function bodyOf(draft: Draft) {
  const code = codeOf(draft);
  return {
    currency: code,
    values: Object.entries(draft.values).flatMap(([templateName, text]) =>
      amountOf(text, code) > 0 ? [{ templateName, valueMinor: amountOf(text, code) }] : [],
    ),
  };
}

/** Why an amount cannot be saved, by `values.<template>`. */
function checkDraft(draft: Draft): Record<string, string> {
  const most = LIMITS.resultValueMinorMax;
  const code = codeOf(draft);
  const hint = `Enter an amount such as ${decimalsOf(code) === 0 ? '1200' : '1200 or 45.50'}, without a thousands separator.`;
  return Object.fromEntries(
    Object.entries(draft.values).flatMap(([templateName, text]) => {
      const minor = amountOf(text, code);
      return Number.isSafeInteger(minor) && minor <= most ? [] : [[`values.${templateName}`, hint]];
    }),
  );
}

function ValuesForm({ data }: { data: ResultValues }) {
  const refusal = useRefusal('agency.manage');
  const form = useForm<Draft, ResultValues>({
    saved: draftOf(data),
    send: (draft) => formApi.putResultValues({ body: bodyOf(draft) }),
    onSaved: (record) => {
      queryClient.setQueryData(resultValuesQuery.queryKey, record);
      void refreshAfter('resultValuesChanged');
      announce(record.values.some(({ valueMinor }) => valueMinor !== null) ? 'Reports show this estimate.' : 'Reports show no amounts.');
    },
    check: checkDraft,
  });
  const { currency, values } = form.values;
  return (
    <Form form={form} className="grid gap-3">
      {refusal === undefined ? (
        <TextField label="Currency" required maxLength={3} className="w-24 font-mono uppercase" {...form.input('currency')} />
      ) : null}
      <ul className="border-t border-line">
        {data.values.map(({ templateName, title, phrase, valueMinor }) => {
          const error = form.errors[`values.${templateName}`];
          return (
            <li key={templateName} className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line-soft py-1.5">
              <label className="min-w-0 flex-1" htmlFor={`worth-${templateName}`} title={`${title}: 1 ${phrase}`}>
                <span className="block truncate">{title}</span>
                <span className="block truncate text-xs text-ink-3">1 {phrase}</span>
              </label>
              {refusal === undefined ? (
                <Input
                  id={`worth-${templateName}`}
                  className="w-20 text-right tabular-nums"
                  inputMode="decimal"
                  autoComplete="off"
                  placeholder="–"
                  value={values[templateName] ?? ''}
                  aria-invalid={error === undefined ? undefined : true}
                  aria-describedby={error === undefined ? undefined : `worth-${templateName}-error`}
                  onChange={(event) => form.set({ values: { ...values, [templateName]: event.target.value } })}
                />
              ) : (
                <span className="tabular-nums">{valueMinor === null ? '–' : formatPrice(valueMinor, currency)}</span>
              )}
              {error === undefined ? null : (
                <p id={`worth-${templateName}-error`} className="basis-full text-xs text-bad">
                  {error}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {refusal === undefined && form.isChanged ? (
        <div className="flex gap-2">
          <Button kind="primary" size="sm" type="submit" busy={form.isBusy && 'Saving'}>
            Save
          </Button>
          <Button size="sm" kind="quiet" onClick={form.reset}>
            Discard
          </Button>
        </div>
      ) : null}
    </Form>
  );
}
