import { useUiText } from '../text/reader.ts';
import { Field } from './field.tsx';
import { Select } from './select.tsx';

const ZONES = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));

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
  const options = ZONES.some((zone) => zone.value === value) ? ZONES : [{ value, label: value }, ...ZONES];
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
