import { useState } from 'react';
import type { Json } from '../../ui/text/json-viewer.tsx';
import type { Agent } from '../../queries/agents.ts';
import { type Edits, typedSince } from '../../ui/hooks/use-edits.ts';

export type Draft = { name: string; clientCanPause: boolean; config: { [key: string]: Json } };
/** Edits of the draft, and the names of what they change. */
export type DraftState = Edits<Draft> & { changed: string[] };

/** Unsaved agent settings. They survive tab changes. */
export function useDraft(agent: Agent): DraftState {
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const saved: Draft = { name: agent.name, clientCanPause: agent.clientCanPause, config: withDefaults(agent) };
  const draft: Draft = { ...saved, ...edits, config: { ...saved.config, ...edits.config } };
  const changed = [
    ...(draft.name === saved.name ? [] : ['name']),
    ...agent.configSchema.filter(({ key }) => differs(draft.config[key], saved.config[key])).map(({ label }) => label.toLowerCase()),
    ...(draft.clientCanPause === saved.clientCanPause ? [] : ['pausing']),
  ];
  const isChanged = changed.length > 0;
  return {
    values: draft,
    changed,
    isChanged,
    set: ({ config, ...part }) =>
      setEdits((before) => ({
        ...before,
        ...part,
        // Only changed settings are stored, so that the others follow the record. A setting that was changed back stays: its save may be in progress.
        ...(config ? { config: pick(config, (key) => key in (before.config ?? {}) || differs(config[key], saved.config[key])) } : {}),
      })),
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

function pick(config: Draft['config'], isWanted: (key: string) => boolean): Draft['config'] {
  return Object.fromEntries(Object.entries(config).filter(([key]) => isWanted(key)));
}

function differs(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
