import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { api } from '../../app/api.ts';
import { plural } from '../../ui/text/format.ts';
import { templatesQuery } from '../../queries/templates.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { Checkbox, Field } from '../../ui/forms/field.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { useClientChoices, withFirst } from '../../shared/choices.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { preflightQuery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/forms/field.css';
import '../../ui/layout/panel.css';

const EVERYONE = 'everyone';

export type InstallMode = 'provision' | 'repair';

const WORD = { provision: 'Provision', repair: 'Repair' } as const;

/** Picks templates after a preflight: ready ones are preselected, others show why not. Starts the attempt. */
export function ProvisionDialog({
  mode,
  partnerId,
  partnerName,
  open,
  onClose,
}: {
  mode: InstallMode;
  partnerId: string;
  partnerName: string;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={`${WORD[mode]} ${partnerName}`} wide>
      <ProvisionForm mode={mode} partnerId={partnerId} onClose={onClose} />
    </Dialog>
  );
}

function ProvisionForm({ mode, partnerId, onClose }: { mode: InstallMode; partnerId: string; onClose: () => void }) {
  const [keepsCopies, setKeepsCopies] = useState(false);
  const [clientId, setClientId] = useState(EVERYONE);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const isForOne = clientId !== EVERYONE;
  const clients = useClientChoices(isForOne ? clientId : undefined, { partnerId });
  const templates = useQuery(templatesQuery);
  // A single client may get any catalog template; "everyone" covers existing agents only.
  const offered = useMemo(() => templates.data?.filter((template) => template.isActive).map((template) => template.name), [templates.data]);
  const preflight = useQuery({
    ...preflightQuery(partnerId, isForOne ? clientId : undefined, isForOne ? offered : undefined),
    staleTime: 0,
    enabled: !isForOne || offered !== undefined,
  });
  const rows = preflight.data?.templates;
  const names = [...new Set(rows?.map((row) => row.templateName))];
  useEffect(() => {
    // Preselected only if ready for every client in scope: one missing credential fails the whole attempt.
    if (rows)
      setChosen(new Set(rows.map((row) => row.templateName).filter((name) => rows.every((row) => row.templateName !== name || row.ready))));
  }, [rows]);
  const provision = useMutation({
    mutationFn: () => {
      const call = { params: { id: partnerId }, headers: { prefer: 'respond-async' } };
      const body = { templateNames: [...chosen], ...(isForOne ? { clientId } : {}) };
      return mode === 'repair'
        ? api.reprovision({ ...call, body: { ...body, mode, refreshTemplates: !keepsCopies } })
        : api.provision({ ...call, body });
    },
    onSuccess: () => {
      void refreshAfter('automationChanged', partnerId);
      onClose();
    },
  });
  const toggle = (name: string): void =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  return (
    <div className="mt-3 grid gap-4">
      {provision.error ? <ErrorBlock error={provision.error} /> : null}
      <Field label="For">
        {(ids) => (
          <Select
            {...ids}
            label="For"
            value={clientId}
            onChange={setClientId}
            {...withFirst({ value: EVERYONE, label: 'Every agent of this agency' }, clients)}
          />
        )}
      </Field>
      <Loaded query={preflight} skeleton={<SkeletonRows rows={3} label="Checking what is ready" />}>
        {({ ready, total, templates }) => (
          <fieldset>
            <legend className="field-label w-full">
              Templates{' '}
              <span className="field-note">
                {ready} of {total} ready
              </span>
            </legend>
            <div className="panel max-h-[46vh] divide-y divide-line-soft overflow-y-auto px-4">
              {names.map((name) => (
                <TemplateRow
                  key={name}
                  rows={templates.filter((row) => row.templateName === name)}
                  isChosen={chosen.has(name)}
                  onToggle={() => toggle(name)}
                />
              ))}
              {names.length === 0 ? <p className="py-3 text-ink-3">No agents to install yet. Choose a client to add one.</p> : null}
            </div>
          </fieldset>
        )}
      </Loaded>
      {mode === 'repair' ? (
        <Checkbox
          checked={keepsCopies}
          onChange={() => setKeepsCopies((before) => !before)}
          label="Keep stored copies unless outdated"
          hint="Otherwise every selected template is reloaded from the catalog."
        />
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" inactive={chosen.size === 0} busy={provision.isPending && 'Starting'} onClick={() => provision.mutate()}>
          {WORD[mode]} {chosen.size > 0 ? plural(chosen.size, 'template') : ''}
        </Button>
      </DialogActions>
    </div>
  );
}

type Row = { title: string; clientName: string | null; workflowId: string | null; ready: boolean; message: string | null };

function TemplateRow({ rows, isChosen, onToggle }: { rows: readonly Row[]; isChosen: boolean; onToggle: () => void }) {
  const blocked = rows.find((row) => !row.ready);
  const who = [...new Set(rows.map((row) => row.clientName ?? 'agency-wide'))].join(', ');
  const isNew = rows.every((row) => row.workflowId === null);
  return (
    <div className="flex items-center gap-x-3 py-1.5 max-md:flex-wrap">
      <div className="flex-1">
        <Checkbox
          checked={isChosen}
          onChange={onToggle}
          label={<span className="font-medium">{rows[0]?.title}</span>}
          hint={isNew ? `${who}, new` : who}
        />
      </div>
      <span
        className={`inline-flex items-center gap-1.5 text-xs md:max-w-[46%] ${blocked ? 'text-bad max-md:w-full max-md:pb-1 max-md:pl-6.5' : 'text-ink-2'}`}
      >
        <Mark kind={blocked ? 'bad' : 'ok'} size={12} />
        {blocked ? (blocked.message ?? 'Not ready') : 'Ready'}
      </span>
    </div>
  );
}
