import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { queryClient } from '../../app/query-client.ts';
import { type Agent, agentQuery } from '../../queries/agents.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { SettingsForm } from '../../shared/forms/settings-form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { announce } from '../../ui/feedback/toast.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { Section } from '../../ui/layout/layout.tsx';

const ORDERS = ['default', 'day_first', 'month_first'] as const;
type Values = { dateOrder: (typeof ORDERS)[number] };

const OPTIONS = [
  { value: 'default', label: 'As in the client’s country' },
  { value: 'day_first', label: 'Day first' },
  { value: 'month_first', label: 'Month first' },
];
const EXAMPLES: Record<Values['dateOrder'], string> = {
  default: 'Where country and language of the client do not agree, 05/01/2027 is refused. 2027-01-05 is always understood.',
  day_first: '05/01/2027 is 5 January 2027.',
  month_first: '05/01/2027 is 1 May 2027.',
};

/** The order of day and month in dates of the senders of an agent, which the agency knows and its client's country may not say. */
export function DateOrderSection({ agent }: { agent: Agent }) {
  const refusal = useRefusal('agents.manage');
  const form = useForm<Values, Agent>({
    saved: { dateOrder: agent.dateOrder ?? 'default' },
    send: ({ dateOrder }) =>
      formApi.updateAgent({
        params: { id: agent.id },
        body: { dateOrder: dateOrder === 'default' ? null : dateOrder },
        headers: { 'if-match': `"${agent.updatedAt}"` },
      }),
    fieldNames: { dateOrder: 'dateOrder' },
    onSaved: (record) => {
      queryClient.setQueryData(agentQuery(agent.id).queryKey, record);
      void refreshAfter('agentSaved');
      announce('Saved. It counts from the next event on.');
    },
  });
  const { dateOrder } = form.values;
  return (
    <Section title="Dates">
      <SettingsForm form={form} refusal={refusal} onReload={() => void refreshAfter('agentConflict', agent.id)} className="max-w-form">
        <Field label="Day and month in dates such as 05/01/2027" hint={EXAMPLES[dateOrder]}>
          {(ids) => (
            <Select
              {...ids}
              label="Day and month in dates such as 05/01/2027"
              value={dateOrder}
              options={OPTIONS}
              disabled={refusal !== undefined}
              onChange={(next) => form.set({ dateOrder: ORDERS.find((one) => one === next) ?? 'default' })}
            />
          )}
        </Field>
      </SettingsForm>
    </Section>
  );
}
