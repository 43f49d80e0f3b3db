import { useUiText } from '../text/reader.ts';
import { Field } from './field.tsx';
import { Select } from './select.tsx';

/** UTC, and the present names of zones that browsers with V8 list under a former one only; others list them. */
const PRESENT_NAMES = [
  'UTC',
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Argentina/Catamarca',
  'America/Argentina/Cordoba',
  'America/Argentina/Jujuy',
  'America/Argentina/Mendoza',
  'America/Atikokan',
  'America/Indiana/Indianapolis',
  'America/Kentucky/Louisville',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
];
const ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), ...PRESENT_NAMES])]
  .toSorted()
  .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));

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
