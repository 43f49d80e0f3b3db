import { textSettingsOf, textOf } from '@partner-portal/core/template/text-settings.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import type { SuggestionRow } from './store.ts';

/** A suggestion in the contract's shape: the text as it is now comes from the agent. */
export function toSuggestion(templateOf: (name: string) => Template | undefined, row: SuggestionRow) {
  const { config, templateName, ...record } = row;
  const template = templateOf(templateName);
  const setting = template && textSettingsOf(template).find(({ key }) => key === row.key);
  return {
    ...record,
    label: setting?.label ?? row.key,
    settingType: setting?.type ?? 'text',
    present: setting ? textOf(config, setting) : row.before,
  };
}
