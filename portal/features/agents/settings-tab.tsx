import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useEffect, useState } from 'react';
import { formApi } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { joinWords } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { AgentPreview, ProfileHint } from './agent-preview.tsx';
import { ConfigField, configErrors } from './config-field.tsx';
import { type Agent, agentQuery, missingSettingNames } from '../../queries/agents.ts';
import type { Draft, DraftState } from './use-draft.ts';
import { refreshAfter } from '../../queries/refresh.ts';

type Props = { agent: Agent; state: DraftState; field: string | undefined; onField: () => void };

/** The agent's settings next to a message preview. */
export function SettingsTab({ agent, state, field, onField }: Props) {
  const { values: draft, changed } = state;
  const refusal = useRefusal('agents.manage');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (field === undefined) return;
    document.querySelector<HTMLElement>(`[data-field="config.${field}"]`)?.focus();
    onField();
  }, [field, onField]);
  const found = configErrors(agent.configSchema, draft.config);
  const form = useForm<Draft, Agent>({
    saved: draft,
    edits: state,
    send: ({ name, clientCanPause, config }) =>
      formApi.updateAgent({
        params: { id: agent.id },
        body: { name: name.trim(), clientCanPause, config: tidy(config) },
        headers: { 'if-match': `"${agent.updatedAt}"` },
      }),
    check: ({ config }) => configErrors(agent.configSchema, config),
    onSaved: (record) => {
      queryClient.setQueryData(agentQuery(agent.id).queryKey, record);
      void refreshAfter('agentSaved');
      announce(
        record.missingSettings.length > 0
          ? `Settings saved. Runs fail without ${joinWords(missingSettingNames(record))}.`
          : 'Settings saved. The next run uses them.',
      );
    },
  });
  return (
    <div className="grid items-start gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,620px)_minmax(300px,360px)] rail:justify-between">
      <Form form={form} outlivesTabs onReload={() => void refreshAfter('agentConflict', agent.id)}>
        <TextField label="Name" required maxLength={LIMITS.nameMax} disabled={refusal !== undefined} {...form.input('name')} />
        {agent.configSchema.map((setting) => (
          // A field says what is wrong with it once it is left.
          <div
            key={setting.key}
            onBlur={({ currentTarget, relatedTarget }) => {
              if (!currentTarget.contains(relatedTarget)) setLeft((before) => new Set([...before, setting.key]));
            }}
          >
            <ConfigField
              setting={setting}
              value={draft.config[setting.key] ?? null}
              onChange={(value) => {
                setLeft((before) => new Set([...before].filter((key) => key !== setting.key)));
                form.set({ config: { ...draft.config, [setting.key]: value } });
              }}
              error={form.errors[`config.${setting.key}`] ?? (left.has(setting.key) ? found[`config.${setting.key}`] : undefined)}
              refusal={refusal}
            />
          </div>
        ))}
        <ProfileHint agent={agent} />
        {agent.clientId ? (
          <div className="flex gap-3">
            <span className="pt-0.5">
              <Switch
                checked={draft.clientCanPause}
                onChange={(clientCanPause) => form.set({ clientCanPause })}
                label="The client may pause this agent"
                disabledReason={refusal}
              />
            </span>
            <div className="min-w-0">
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
            <Button kind="quiet" onClick={form.reset}>
              Discard
            </Button>
          ) : null}
          <Button kind="primary" type="submit" disabledReason={refusal} inactive={changed.length === 0} busy={form.isBusy && 'Saving'}>
            Save changes
          </Button>
        </div>
      </Form>
      <AgentPreview agent={agent} config={draft.config} refusal={refusal} />
    </div>
  );
}

/** Drops empty list lines and empty numbers. */
function tidy(config: Draft['config']): Draft['config'] {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, Array.isArray(value) ? value.filter((item) => item !== '') : value]),
  );
}
