import { isTextSetting } from '@partner-portal/core/template/text-settings.ts';
import type { ConfigType } from '@partner-portal/core/template/types.ts';
import type { MessageKey, Messages } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { formatNumber, formatToMinute } from '../../ui/text/format.ts';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { type Agent, businessQuery } from './queries.ts';
import { scheduleWords } from './schedule-words.ts';
import { SuggestChange } from './suggest-change.tsx';
import '../../shared/message-bubble.css';
import '../../ui/layout/section-header.css';

type Setting = Agent['configSchema'][number];

/** The agent's message texts with the links of the business. What differs by recipient is shown as placeholders. */
export function AgentTexts({ agent, businessName }: { agent: Agent; businessName: string }) {
  const { t } = useMessages();
  const profile: Readonly<Record<string, string>> = useQuery(businessQuery).data?.businessProfile ?? {};
  const texts = agent.configSchema.filter((setting) => setting.type === 'longtext' && textOf(agent, setting) !== '');
  if (texts.length === 0) return null;
  const known: Record<string, string> = { businessName };
  const words: Record<string, string> = Object.fromEntries(Object.entries(PLACEHOLDERS).map(([key, word]) => [key, t(word)]));
  for (const setting of agent.configSchema) {
    const value = textOf(agent, setting) || (setting.fromProfile === null ? '' : (profile[setting.fromProfile] ?? ''));
    if (setting.type === 'url' && value) known[setting.key] = value;
    words[setting.key] ??= setting.label;
  }
  return (
    <section>
      <div className="section-header">
        <h2>{t('client.whatItWrites')}</h2>
      </div>
      {texts.map((setting) => (
        <div key={setting.key} className="pt-4">
          <p className="mb-1.5 text-sm text-ink-3">{setting.label}</p>
          <p className="message-bubble !max-w-105 !text-base">
            <Filled text={textOf(agent, setting)} known={known} words={words} />
          </p>
          <SuggestChange agent={agent} setting={setting} preview={(text) => <Filled text={text} known={known} words={words} />} />
        </div>
      ))}
    </section>
  );
}

/** The remaining settings that are meaningful to a business. */
export function AgentTimes({ agent }: { agent: Agent }) {
  const { t } = useMessages();
  const rows: (readonly [string, ReactNode])[] = agent.configSchema.flatMap((setting) => {
    const value = settingWords(setting, agent.config[setting.key] ?? setting.default, t);
    return value === undefined ? [] : [[setting.label, withSuggestion(agent, setting, value)] as const];
  });
  const { waiting, nextAt } = agent.planned;
  if (nextAt !== null)
    rows.unshift([
      t('client.next'),
      waiting > 1 ? t('client.nextAndMore', { when: formatToMinute(nextAt), count: waiting - 1 }) : formatToMinute(nextAt),
    ]);
  const schedule = scheduleWords(agent, t);
  if (schedule !== undefined) rows.unshift([t('client.runs'), schedule]);
  if (rows.length === 0) return null;
  return (
    <section>
      <div className="section-header">
        <h2>{t('client.whenAndHow')}</h2>
      </div>
      <div className="pt-2">
        <KeyValues rows={rows} />
      </div>
    </section>
  );
}

function withSuggestion(agent: Agent, setting: Setting, value: string): ReactNode {
  if (!isTextSetting(setting)) return value;
  return (
    <>
      {value}
      <SuggestChange agent={agent} setting={setting} isShort />
    </>
  );
}

/** Whether a row says what a setting of a type is set to. `longtext` is shown by `AgentTexts`. */
const SPOKEN: { readonly [type: string]: boolean } = {
  text: true,
  longtext: false,
  number: true,
  boolean: true,
  url: false,
  email: true,
  phone: true,
  'time-range': true,
  list: true,
  numberList: true,
  model: false,
} satisfies Record<ConfigType, boolean>;

function settingWords(setting: Setting, value: unknown, t: Messages['t']): string | undefined {
  if (!SPOKEN[setting.type]) return undefined;
  if (typeof value === 'boolean') return t(value ? 'client.yes' : 'client.no');
  if (typeof value === 'number') return formatNumber(value);
  if (Array.isArray(value))
    return value.length > 0 ? value.map((one) => (typeof one === 'number' ? formatNumber(one) : String(one))).join(', ') : undefined;
  if (typeof value !== 'string' || value === '') return undefined;
  const [from = '', to] = value.split('-');
  return setting.type === 'time-range' && to !== undefined ? t('client.range', { from, to }) : value;
}

function textOf(agent: Agent, { key, default: fallback }: Setting): string {
  const value = agent.config[key] ?? fallback;
  return typeof value === 'string' ? value : '';
}

/** What differs by recipient. */
const PLACEHOLDERS: Readonly<Record<string, MessageKey>> = {
  firstName: 'client.placeholder.firstName',
  slots: 'client.placeholder.slots',
  quoteUrl: 'client.placeholder.quoteUrl',
  startTime: 'client.placeholder.startTime',
  callerNumber: 'client.placeholder.callerNumber',
  service: 'client.placeholder.service',
};

/** Renders `{firstName}` as a "first name" placeholder in the reader's language; known values are filled in. */
function Filled({ text, known, words }: { text: string; known: Record<string, string>; words: Record<string, string> }) {
  return text.split(/\{(\w+)\}/).map((part, at) => {
    if (at % 2 === 0) return <Fragment key={at}>{part}</Fragment>;
    return known[part] ? (
      <Fragment key={at}>{known[part]}</Fragment>
    ) : (
      <i key={at} className="rounded-xs bg-brand-wash px-0.5 text-brand not-italic">
        {words[part] ?? spaced(part)}
      </i>
    );
  });
}

function spaced(key: string): string {
  return key.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ url$/, ' link');
}
