import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { v4 as newId } from 'uuid';
import { type CatalogEntry, catalogQuery } from '../../queries/catalog.ts';
import { formApi } from '../../app/api.ts';
import { plural } from '../../ui/text/format.ts';
import { announceResults } from '../../shared/announce-results.ts';
import { ClientChoice } from '../../shared/client-choice.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Select } from '../../ui/forms/select.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { RequestReadiness } from './request-readiness.tsx';
import { refreshAfter } from '../../queries/refresh.ts';

const CUSTOM = 'custom';
const ANSWERED = 'We usually answer within one working day.';
type Values = { chosen: readonly string[]; agent: string | undefined; title: string; description: string };

type Props = { clientId: string | undefined; templateName: string | undefined; onClose: () => void };

/** Asks for which clients the platform team should set up which agent. */
export function RequestDialog(props: Props) {
  return (
    <Dialog open onClose={props.onClose} title="Request an agent">
      <RequestForm {...props} />
    </Dialog>
  );
}

function RequestForm({ clientId, templateName, onClose }: Props) {
  const navigate = useNavigate();
  const [initial] = useState<Values>(() => ({ chosen: clientId ? [clientId] : [], agent: templateName, title: '', description: '' }));
  // One key per opened form, so a retried submit stays one request.
  const [key] = useState(() => newId());
  const form = useForm({
    saved: initial,
    // A template for many clients has a result for each; one that has it already stops no other.
    send: async ({ chosen, agent, title, description }) => {
      const note = description.trim() ? { description } : {};
      const headers = { 'idempotency-key': key };
      if (chosen.length > 1 && agent !== undefined && agent !== CUSTOM)
        return (await formApi.createAgentRequests({ headers, body: { clientIds: [...chosen], templateName: agent, ...note } })).results;
      await formApi.createAgentRequest({
        headers,
        body: { clientIds: [...chosen], ...(agent === CUSTOM ? { title } : { templateName: agent }), ...note },
      });
      return null;
    },
    onSaved: (results, sent) => {
      onClose();
      void refreshAfter('agentRequestChanged');
      if (results) announceResults(results);
      else announce(`${sent.chosen.length === 1 ? 'Request' : plural(sent.chosen.length, 'request')} submitted. ${ANSWERED}`);
      void navigate({ to: '/dashboard/requests' });
    },
    fieldNames: { clientIds: 'chosen', templateName: 'agent' },
  });
  const { chosen, agent, title, description } = form.values;
  const catalog = useQuery(catalogQuery(clientId));
  const entry = catalog.data?.find((one) => one.name === agent);
  const lacking =
    agent === undefined
      ? 'Choose an agent.'
      : agent === CUSTOM && title.trim() === ''
        ? 'Say what it should do.'
        : chosen.length === 0
          ? 'Choose a client.'
          : undefined;
  return (
    <Form form={form} className="grid gap-4 pt-2">
      <Field label="Agent" note="required" error={form.errors['agent']}>
        {(ids) => (
          <Select
            {...ids}
            label="Agent"
            value={agent}
            onChange={(picked) => form.set({ agent: picked })}
            placeholder="Choose an agent"
            options={agentOptions(catalog.data ?? [])}
          />
        )}
      </Field>
      {agent === CUSTOM ? (
        <TextField
          label="What should it do?"
          note="required"
          maxLength={120}
          placeholder="For example: count our reviews every Monday"
          {...form.input('title')}
        />
      ) : null}
      <ClientChoice
        legend="For which clients"
        note="required"
        chosen={chosen}
        onChange={(next) => form.set({ chosen: next })}
        most={LIMITS.bulkRequestMax}
        error={form.errors['chosen']}
      />
      {entry && chosen.length > 0 ? <RequestReadiness entry={entry} chosen={chosen} /> : null}
      <Field label="Note for the platform team" note="optional">
        {(ids) => (
          <TextArea
            {...ids}
            rows={3}
            maxLength={4000}
            value={description}
            onChange={(event) => form.set({ description: event.target.value })}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" disabledReason={lacking} busy={form.isBusy && 'Submitting'}>
          {chosen.length > 1 ? `Request for ${chosen.length} clients` : 'Request'}
        </Button>
      </DialogActions>
    </Form>
  );
}

function agentOptions(entries: readonly CatalogEntry[]) {
  return [...entries.map((entry) => ({ value: entry.name, label: entry.title })), { value: CUSTOM, label: 'Something else' }];
}
