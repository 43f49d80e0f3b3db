import { settingHint } from '@partner-portal/core/template/setting-hints.ts';
import type { ConfigType } from '@partner-portal/core/template/types.ts';
import { type ReactNode, useRef, useState } from 'react';
import { completesUrl, Field, Input, TextArea, TextField } from '../../ui/forms/field.tsx';
import type { Json } from '../../ui/text/json-viewer.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import type { FieldErrors } from '../../shared/forms/constraint-errors.ts';
import { countTexts } from '../../shared/message-preview.tsx';
import { TimeInput } from '../../ui/forms/time-input.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import type { Agent } from '../../queries/agents.ts';
import { joinPair, pairOf, type TimePair } from './time-pair.ts';
import '../../ui/forms/field.css';

export type Setting = Agent['configSchema'][number];
type Props = { setting: Setting; value: Json; onChange: (value: Json) => void; error: string | undefined; refusal: string | undefined };

/** One agent setting in the control for its type. Placeholders in braces can be inserted with a click. */
export function ConfigField(props: Props) {
  // A page of the version before shows a type that it does not know as a line.
  const Control = CONTROLS[props.setting.type] ?? LineField;
  return <Control {...props} />;
}

const CONTROLS: { readonly [type: string]: (props: Props) => ReactNode } = {
  text: LineField,
  longtext: LongField,
  number: NumberField,
  boolean: SwitchField,
  url: LineField,
  email: LineField,
  phone: LineField,
  'time-range': TimeRangeField,
  list: LongField,
  numberList: NumbersField,
  model: LineField,
} satisfies Record<ConfigType, (props: Props) => ReactNode>;

function SwitchField({ setting, value, onChange, error, refusal }: Props) {
  return (
    <div className="flex gap-3">
      <span className="pt-0.5">
        <Switch checked={value === true} onChange={onChange} label={setting.label} disabledReason={refusal} />
      </span>
      <div>
        <p className="font-medium">{setting.label}</p>
        <p className={`text-xs ${error ? 'text-bad' : 'text-ink-3'}`}>{error ?? setting.help}</p>
      </div>
    </div>
  );
}

function NumberField({ setting, value, onChange, error, refusal }: Props) {
  return (
    <TextField
      label={setting.label}
      hint={setting.help ?? undefined}
      error={error}
      data-field={`config.${setting.key}`}
      type="number"
      inputMode="decimal"
      disabled={refusal !== undefined}
      className="max-w-40"
      value={typeof value === 'number' ? value : ''}
      onChange={(text) => onChange(text === '' ? '' : Number(text))}
    />
  );
}

function LineField({ setting, value, onChange, error, refusal }: Props) {
  // An address with its name, `Ada <ada@example.com>`, is understood, which the browser refuses of the type `email`.
  const types: Record<string, string> = { url: 'url', phone: 'tel' };
  return (
    <Field
      label={setting.label}
      hint={setting.help ?? undefined}
      error={error}
      note={setting.maxLength && setting.maxLength <= 200 ? `${textOf(value).length} of ${setting.maxLength}` : undefined}
    >
      {(ids) => (
        <Input
          {...ids}
          data-field={`config.${setting.key}`}
          type={types[setting.type] ?? 'text'}
          {...(setting.type === 'email' ? { inputMode: 'email', autoCapitalize: 'none' } : {})}
          mono={setting.type === 'model'}
          disabled={refusal !== undefined}
          value={textOf(value)}
          onChange={(event) => onChange(event.target.value)}
          {...(setting.type === 'url' ? completesUrl(onChange) : {})}
        />
      )}
    </Field>
  );
}

/** Edits a list of numbers as text. Text that is no such list stays the value, so that it is refused and not dropped. */
function NumbersField({ setting, value, onChange, error, refusal }: Props) {
  const [typed, setTyped] = useState('');
  // The typed text is kept as it is, unless the value changed elsewhere.
  const text = JSON.stringify(numbersOf(typed)) === JSON.stringify(value) ? typed : Array.isArray(value) ? value.join(', ') : textOf(value);
  return (
    <TextField
      label={setting.label}
      hint={setting.help ?? undefined}
      note="separated by commas"
      error={error}
      data-field={`config.${setting.key}`}
      disabled={refusal !== undefined}
      value={text}
      onChange={(next) => {
        setTyped(next);
        onChange(numbersOf(next));
      }}
    />
  );
}

function LongField({ setting, value, onChange, error, refusal }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const isList = setting.type === 'list';
  const text = isList ? (Array.isArray(value) ? value.join('\n') : '') : textOf(value);
  const change = (next: string): void => onChange(isList ? next.split('\n') : next);
  const words = isList ? [] : [...new Set([...(setting.help ?? '').matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? ''))];
  const insert = (word: string): void => {
    const { selectionStart = text.length, selectionEnd = text.length } = area.current ?? {};
    change(`${text.slice(0, selectionStart)}{${word}}${text.slice(selectionEnd)}`);
    area.current?.focus();
  };
  const { parts } = countTexts(text);
  const note = isList
    ? 'one per line'
    : setting.maxLength
      ? `${formatNumber([...text].length)} of ${formatNumber(setting.maxLength)}${setting.maxLength <= 640 && parts > 0 ? `, ${parts === 1 ? 'one text' : `${parts} texts`}` : ''}`
      : undefined;
  return (
    <div>
      <Field label={setting.label} note={note} error={error} hint={setting.help ?? undefined}>
        {(ids) => (
          <TextArea
            {...ids}
            ref={area}
            rows={isList ? 3 : 4}
            disabled={refusal !== undefined}
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        )}
      </Field>
      {words.length > 0 && !refusal ? (
        <p className="mt-1 text-xs text-ink-3">
          Insert{' '}
          {words.map((word, at) => (
            <span key={word}>
              {at > 0 ? ', ' : ''}
              <button type="button" className="link" onClick={() => insert(word)}>
                {spell(word)}
              </button>
            </span>
          ))}
        </p>
      ) : null}
    </div>
  );
}

/** Edits "21:00-08:00" as two time inputs; empty means any time. */
function TimeRangeField({ setting, value, onChange, error, refusal }: Props) {
  const [typed, setTyped] = useState<TimePair>(['', '']);
  const [from, until] = pairOf(textOf(value), typed);
  const set = (...pair: TimePair): void => {
    setTyped(pair);
    onChange(joinPair(pair));
  };
  return (
    <fieldset>
      <legend className="field-label">{setting.label}</legend>
      <div className="grid max-w-80 grid-cols-[1fr_auto_1fr] items-center gap-2">
        <TimeInput
          aria-label={`${setting.label} from`}
          data-field={`config.${setting.key}`}
          disabled={refusal !== undefined}
          value={from}
          onChange={(time) => set(time, until)}
          aria-invalid={error ? true : undefined}
        />
        <span className="text-ink-3">until</span>
        <TimeInput
          aria-label={`${setting.label} until`}
          disabled={refusal !== undefined}
          value={until}
          onChange={(time) => set(from, time)}
          aria-invalid={error ? true : undefined}
        />
      </div>
      <p className="field-hint" data-bad={error ? '' : undefined}>
        {error ?? setting.help}
      </p>
    </fieldset>
  );
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : value === null ? '' : String(value);
}

/** The numbers of a text such as "2, 5"; the text itself when something else is in it. */
function numbersOf(text: string): number[] | string {
  const numbers = text
    .split(/[,\s]+/)
    .filter(Boolean)
    .map(Number);
  return numbers.every(Number.isFinite) ? numbers : text;
}

/** What a value must be corrected to before it is sent, by the path of its setting. */
export function configErrors(settings: readonly Setting[], config: Readonly<Record<string, Json>>): FieldErrors {
  return Object.fromEntries(
    settings.flatMap((setting) => {
      const hint = settingHint(setting, config[setting.key]);
      return hint === null ? [] : [[`config.${setting.key}`, hint]];
    }),
  );
}

/** Turns "bookingUrl" into readable text. */
function spell(word: string): string {
  return word
    .replace(/Url$/, 'Link')
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase();
}
