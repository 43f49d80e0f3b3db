import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { api } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { fieldErrors } from '../../app/errors.ts';
import { joinWords } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { FormError } from '../../shared/error-block.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { AgentPreview, ProfileHint } from './agent-preview.tsx';
import { ConfigField } from './config-field.tsx';
import { type Agent, agentQuery } from '../../queries/agents.ts';
import type { DraftState } from './use-draft.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** The agent's settings beside a message preview. */
export function SettingsTab({ agent, state }: { agent: Agent; state: DraftState }) {
  const { draft, changed, set, setSetting, settle, reset } = state;
  const refusal = useRefusal('agents.manage');
  const form = useRef<HTMLFormElement>(null);
  const save = useMutation({
    mutationFn: () =>
      api.updateAgent({
        params: { id: agent.id },
        body: { name: draft.name.trim(), clientCanPause: draft.clientCanPause, config: tidy(draft.config) },
        headers: { 'if-match': `"${agent.updatedAt}"` },
      }),
    onMutate: () => draft,
    onSuccess: (record, _body, sent) => {
      queryClient.setQueryData(agentQuery(agent.id).queryKey, record);
      void refreshAfter('agentSaved');
      settle(sent);
      announce('Settings saved. The next run uses them.');
    },
    onError: () => requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()),
  });
  const errors = fieldErrors(save.error);
  const errorOf = (key: string): string | undefined => errors[`config.${key}`] ?? errors[key];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (changed.length > 0 && !save.isPending) save.mutate();
  };
  return (
    <div className="grid items-start gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,620px)_minmax(300px,360px)] rail:justify-between">
      <form ref={form} onSubmit={submit} className="grid gap-5">
        <FormError
          error={save.error}
          onRetry={() => {
            void refreshAfter('agentConflict', agent.id);
            save.reset();
          }}
        />
        <TextField
          label="Name"
          error={errors['name']}
          required
          maxLength={120}
          disabled={refusal !== undefined}
          value={draft.name}
          onChange={(text) => set({ name: text })}
        />
        {agent.configSchema.map((setting) => (
          <ConfigField
            key={setting.key}
            setting={setting}
            value={draft.config[setting.key] ?? null}
            onChange={(value) => setSetting(setting.key, value)}
            error={errorOf(setting.key)}
            refusal={refusal}
          />
        ))}
        <ProfileHint agent={agent} />
        {agent.clientId ? (
          <div className="flex gap-3">
            <span className="pt-0.5">
              <Switch
                checked={draft.clientCanPause}
                onChange={(clientCanPause) => set({ clientCanPause })}
                label="The client may pause this agent"
                disabledReason={refusal}
              />
            </span>
            <div>
              <p className="font-medium">The client may pause this agent</p>
              <p className="text-xs text-ink-3">{agent.clientName} sees a switch on its own page.</p>
            </div>
          </div>
        ) : null}
        <div className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-line bg-canvas py-3.5">
          <p className="mr-auto flex items-center gap-2 text-ink-2" role="status">
            {changed.length > 0 ? (
              <>
                <Mark kind="live" />
                Unsaved: {joinWords(changed)}
              </>
            ) : (
              <span className="text-ink-3">Everything is saved.</span>
            )}
          </p>
          {changed.length > 0 ? (
            <Button
              kind="quiet"
              onClick={() => {
                reset();
                save.reset();
              }}
            >
              Discard
            </Button>
          ) : null}
          <Button kind="primary" type="submit" disabledReason={refusal} inactive={changed.length === 0} busy={save.isPending && 'Saving'}>
            Save changes
          </Button>
        </div>
      </form>
      <AgentPreview agent={agent} config={draft.config} refusal={refusal} />
    </div>
  );
}

/** Drops empty list lines and empty numbers. */
function tidy(config: DraftState['draft']['config']): DraftState['draft']['config'] {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, Array.isArray(value) ? value.filter((item) => item !== '') : value]),
  );
}
