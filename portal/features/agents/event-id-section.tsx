import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { DELIVERY_HEADERS } from '@partner-portal/core/execution/event-id.ts';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { queryClient } from '../../app/query-client.ts';
import { type Agent, agentQuery, type Workflow } from '../../queries/agents.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { SettingsForm } from '../../shared/forms/settings-form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { announce } from '../../ui/feedback/toast.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import '../../ui/forms/field.css';

const PLACES = ['default', 'header', 'input'] as const;
type Values = { place: (typeof PLACES)[number]; name: string };
type Source = Agent['eventIdFrom'];

const OPTIONS = [
  { value: 'default', label: 'In the usual place' },
  { value: 'header', label: 'In a header' },
  { value: 'input', label: 'In a value of the event' },
];

/** By what a repeated event is recognized: the header or value that the agent names, else where its template and known senders have it. */
export function EventIdSection({ agent, workflow }: { agent: Agent; workflow: Workflow }) {
  const refusal = useRefusal('agents.manage');
  const form = useForm<Values, Agent>({
    saved: valuesOf(agent.eventIdFrom),
    send: (values) =>
      formApi.updateAgent({
        params: { id: agent.id },
        body: { eventIdFrom: sourceOf(values) },
        headers: { 'if-match': `"${agent.updatedAt}"` },
      }),
    fieldNames: { eventIdFrom: 'name', header: 'name', input: 'name' },
    onSaved: (record) => {
      queryClient.setQueryData(agentQuery(agent.id).queryKey, record);
      void refreshAfter('agentSaved');
      announce('Saved. It counts from the next event on.');
    },
  });
  const { place } = form.values;
  const isOff = refusal !== undefined;
  return (
    <Section title="Repeated events">
      <p className="mb-3 text-ink-2">
        A sender that gets no answer in time sends its event again. Events with the same ID start one run within {LIMITS.idempotencyHours}{' '}
        hours; the inbound log shows the repeat. An <code>Idempotency-Key</code> counts before every other ID.
      </p>
      <SettingsForm form={form} refusal={refusal} onReload={() => void refreshAfter('agentConflict', agent.id)} className="max-w-form">
        <div className="grid items-start gap-4 md:grid-cols-2">
          <Field label="Where an event has its ID">
            {(ids) => (
              <Select
                {...ids}
                label="Where an event has its ID"
                value={place}
                options={OPTIONS}
                disabled={isOff}
                onChange={(next) => form.set({ place: PLACES.find((one) => one === next) ?? 'default', name: '' })}
              />
            )}
          </Field>
          {place === 'header' ? (
            <TextField
              label="Header"
              hint="As your sender names it, such as x-event-id"
              required
              mono
              maxLength={80}
              autoComplete="off"
              spellCheck={false}
              disabled={isOff}
              {...form.input('name')}
            />
          ) : null}
          {place === 'input' ? (
            <TextField
              label="Value"
              hint="Its name in the event, such as “id”, or “order.id” inside an object"
              required
              mono
              maxLength={120}
              autoComplete="off"
              spellCheck={false}
              disabled={isOff}
              {...form.input('name')}
            />
          ) : null}
        </div>
        <DefaultPlace isFallback={place !== 'default'} source={workflow.templateEventIdFrom ?? null} />
      </SettingsForm>
    </Section>
  );
}

/** "The value CallSid, or the delivery ID of a known sender in one of these headers: …" */
function DefaultPlace({ isFallback, source }: { isFallback: boolean; source: Source }) {
  return (
    <p className="text-xs text-ink-3">
      {isFallback ? 'An event without it is recognized by the usual place: ' : 'The usual place is '}
      {source === null ? null : (
        <>
          the {'header' in source ? 'header' : 'value'} <code>{'header' in source ? source.header : source.input}</code>, or{' '}
        </>
      )}
      the header in which a known sender names its delivery:{' '}
      {DELIVERY_HEADERS.map((header, at) => (
        <span key={header}>
          {at === 0 ? '' : at === DELIVERY_HEADERS.length - 1 ? ' or ' : ', '}
          <code className="whitespace-nowrap">{header}</code>
        </span>
      ))}
      .
    </p>
  );
}

function valuesOf(source: Source): Values {
  if (source === null) return { place: 'default', name: '' };
  return 'header' in source ? { place: 'header', name: source.header } : { place: 'input', name: source.input };
}

function sourceOf({ place, name }: Values): Source {
  if (place === 'default') return null;
  return place === 'header' ? { header: name } : { input: name };
}
