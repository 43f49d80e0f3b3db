import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import type { Json } from '../../ui/text/json-viewer.tsx';
import type { Agent } from '../../queries/agents.ts';
import { typedSince } from '../../ui/hooks/use-edits.ts';

export type Draft = { name: string; clientCanPause: boolean; config: { [key: string]: Json } };
export type DraftState = {
  draft: Draft;
  changed: string[];
  set: (part: Partial<Draft>) => void;
  setSetting: (key: string, value: Json) => void;
  /** Drops what was saved and keeps what was typed during the save. */
  settle: (sent: Draft) => void;
  reset: () => void;
};

/** Unsaved agent settings. They survive tab changes; leaving the page with changes asks first. */
export function useDraft(agent: Agent): DraftState {
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const saved: Draft = { name: agent.name, clientCanPause: agent.clientCanPause, config: withDefaults(agent) };
  const draft: Draft = { ...saved, ...edits, config: { ...saved.config, ...edits.config } };
  const changed = [
    ...(draft.name === saved.name ? [] : ['name']),
    ...agent.configSchema
      .filter(({ key }) => JSON.stringify(draft.config[key]) !== JSON.stringify(saved.config[key]))
      .map(({ label }) => label.toLowerCase()),
    ...(draft.clientCanPause === saved.clientCanPause ? [] : ['pausing']),
  ];
  const isChanged = changed.length > 0;
  useBlocker({
    disabled: !isChanged,
    enableBeforeUnload: isChanged,
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !confirm('Leave without saving your changes?'),
  });
  return {
    draft,
    changed,
    set: (part) => setEdits((before) => ({ ...before, ...part })),
    setSetting: (key, value) => setEdits((before) => ({ ...before, config: { ...before.config, [key]: value } })),
    settle: (sent) =>
      setEdits(({ config, ...before }) => ({
        ...typedSince<Omit<Draft, 'config'>>(before, sent),
        ...(config ? { config: typedSince<Draft['config']>(config, sent.config) as Draft['config'] } : {}), // no member of it is undefined
      })),
    reset: () => setEdits({}),
  };
}

function withDefaults(agent: Agent): { [key: string]: Json } {
  return Object.fromEntries(agent.configSchema.map((setting) => [setting.key, agent.config[setting.key] ?? setting.default]));
}
