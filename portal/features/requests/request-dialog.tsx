import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { switcherClientsQuery } from '../../queries/agency.ts';
import { type CatalogEntry, catalogQuery } from '../../queries/catalog.ts';
import { api } from '../../app/api.ts';
import { fieldErrors } from '../../app/errors.ts';
import { joinWords, plural } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button, type ButtonKind } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Checkbox, Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { FormError } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { refreshAfter } from '../../queries/refresh.ts';

type ButtonProps = { kind?: ButtonKind; clientId: string | undefined; templateName?: string | undefined; word?: string };

/** Opens the request dialog; disabled with a reason for users without permission. */
export function RequestButton({ kind = 'default', clientId, templateName, word = 'Request an agent' }: ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal('requests.create');
  return (
    <>
      <Button kind={kind} disabledReason={refusal} onClick={() => setOpen(true)}>
        {word}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Request an agent">
        <RequestForm clientId={clientId} templateName={templateName} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

const CUSTOM = 'custom';

function RequestForm({
  clientId,
  templateName,
  onClose,
}: {
  clientId: string | undefined;
  templateName: string | undefined;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const clients = useQuery(switcherClientsQuery);
  const [chosen, setChosen] = useState<readonly string[]>(clientId ? [clientId] : []);
  const [agent, setAgent] = useState<string | undefined>(templateName);
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  // One key per opened form, so a retried submit stays one request.
  const [key] = useState(() => crypto.randomUUID());
  const catalog = useQuery(catalogQuery(chosen.length === 1 ? chosen[0] : clientId));
  const entry = catalog.data?.find((one) => one.name === agent);
  const send = useMutation({
    mutationFn: () =>
      api.createAgentRequest({
        headers: { 'idempotency-key': key },
        body: {
          clientIds: [...chosen],
          ...(agent === CUSTOM ? { title } : { templateName: agent }),
          ...(description.trim() ? { description } : {}),
        },
      }),
    onSuccess: () => {
      onClose();
      void refreshAfter('agentRequestChanged');
      announce(chosen.length === 1 ? 'Request submitted.' : `${plural(chosen.length, 'request')} submitted.`);
      void navigate({ to: '/dashboard/requests' });
    },
  });
  const errors = fieldErrors(send.error);
  const isReady = chosen.length > 0 && agent !== undefined && (agent !== CUSTOM || title.trim() !== '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady && !send.isPending) send.mutate();
  };
  const toggle = (id: string): void => setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  return (
    <form onSubmit={submit} className="grid gap-4 pt-2">
      <FormError error={send.error} />
      <Field label="Agent" note="required" error={errors['templateName']}>
        {(ids) => (
          <Select
            {...ids}
            label="Agent"
            value={agent}
            onChange={setAgent}
            placeholder="Choose an agent"
            options={agentOptions(catalog.data ?? [])}
          />
        )}
      </Field>
      {agent === CUSTOM ? (
        <TextField
          label="What should it do?"
          note="required"
          error={errors['title']}
          maxLength={120}
          value={title}
          placeholder="For example: count our reviews every Monday"
          onChange={setTitle}
        />
      ) : null}
      <fieldset>
        <legend className="field-label">For which clients</legend>
        <div className="max-h-[188px] overflow-y-auto rounded-md border border-line px-3 py-1.5">
          {(clients.data ?? [])
            .filter((one) => one.status !== 'archived')
            .map((one) => (
              <Checkbox key={one.id} label={one.name} checked={chosen.includes(one.id)} onChange={() => toggle(one.id)} />
            ))}
          {clients.data?.length === 0 ? <p className="py-1 text-ink-3">Add a client first.</p> : null}
        </div>
        {errors['clientIds'] ? (
          <p className="field-hint" data-bad="">
            {errors['clientIds']}
          </p>
        ) : null}
      </fieldset>
      {entry && chosen.length === 1 ? <Missing entry={entry} /> : null}
      <Field label="Note for the platform team" note="optional">
        {(ids) => (
          <TextArea {...ids} rows={3} maxLength={4000} value={description} onChange={(event) => setDescription(event.target.value)} />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" inactive={!isReady} busy={send.isPending && 'Submitting'}>
          {chosen.length > 1 ? `Request for ${chosen.length} clients` : 'Request'}
        </Button>
      </DialogActions>
    </form>
  );
}

function agentOptions(entries: readonly CatalogEntry[]) {
  return [...entries.map((entry) => ({ value: entry.name, label: entry.title })), { value: CUSTOM, label: 'Something else' }];
}

function Missing({ entry }: { entry: CatalogEntry }) {
  if (entry.installed) return <Note tone="ok">This client already has this agent.</Note>;
  if (entry.missingConnections.length === 0) return null;
  const names = joinWords(entry.missingConnections.map((provider) => PROVIDERS[provider].name));
  return (
    <Note tone="warn">
      This agent needs a key for {names}. You can request it now and add the key later; the installation then continues automatically.
    </Note>
  );
}
