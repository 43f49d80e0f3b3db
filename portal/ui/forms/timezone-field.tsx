import { useUiText } from '../text/reader.ts';
import { Field } from './field.tsx';
import { Select } from './select.tsx';
import { TIME_ZONES } from './time-zones.ts';

/** Selects a time zone by name, with search. */
export function TimezoneField({
  value,
  onChange,
  error,
  hint,
  disabled,
  size,
}: {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: string;
  disabled?: boolean;
  size?: 'md' | 'lg';
}) {
  const t = useUiText();
  const options = TIME_ZONES.some((zone) => zone.value === value) ? TIME_ZONES : [{ value, label: value }, ...TIME_ZONES];
  return (
    <Field label={t('ui.timezone')} error={error} hint={hint}>
      {(ids) => (
        <Select
          {...ids}
          label={t('ui.timezone')}
          options={options}
          value={value}
          onChange={onChange}
          disabled={disabled ?? false}
          size={size ?? 'md'}
        />
      )}
    </Field>
  );
}
