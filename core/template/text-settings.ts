import type { ConfigType, TemplateConfig } from './types.ts';

/** Types of settings that are texts. */
export const TEXT_TYPES: ReadonlySet<string> = new Set<ConfigType>(['text', 'longtext', 'url', 'email', 'phone', 'time-range']);

/** Returns the settings that are texts, for which a client may suggest another; not numbers, switches, lists and models. */
export function textSettingsOf({ config }: { config: readonly TemplateConfig[] }): TemplateConfig[] {
  return config.filter(({ type, choices }) => TEXT_TYPES.has(type) && choices === undefined);
}

/** Returns the text of a setting: the agent's own, else the template's. */
export function textOf(config: Readonly<Record<string, unknown>>, setting: Pick<TemplateConfig, 'key' | 'default'>): string {
  const value = config[setting.key] ?? setting.default;
  return typeof value === 'string' ? value : '';
}
