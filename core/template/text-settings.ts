import type { ConfigType, TemplateConfig } from './types.ts';

const IS_TEXT: { readonly [type: string]: boolean } = {
  text: true,
  longtext: true,
  number: false,
  boolean: false,
  url: true,
  email: true,
  phone: true,
  'time-range': true,
  list: false,
  numberList: false,
  model: false,
} satisfies Record<ConfigType, boolean>;

/** Whether a setting is a text, for which a client may suggest another one. A page of the version before may not know its type. */
export function isTextSetting({ type }: { type: string }): boolean {
  return IS_TEXT[type] === true;
}

/** Returns the settings for which a client may suggest another text. */
export function textSettingsOf({ config }: { config: readonly TemplateConfig[] }): TemplateConfig[] {
  return config.filter(isTextSetting);
}

/** Returns the text of a setting: the agent's own, else the template's. */
export function textOf(config: Readonly<Record<string, unknown>>, setting: Pick<TemplateConfig, 'key' | 'default'>): string {
  const value = config[setting.key] ?? setting.default;
  return typeof value === 'string' ? value : '';
}
