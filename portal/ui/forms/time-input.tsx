import { type ComponentProps, useEffect, useState } from 'react';
import { parseClock } from './clock.ts';
import { Input } from './field.tsx';

type Props = Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange'> & { value: string; onChange: (value: string) => void };

/**
 * A time of day as "HH:MM", in 24 hours; the browser's own time field follows the browser's language. Reports what was
 * typed as "HH:MM" where it is a time, and as it is otherwise.
 */
export function TimeInput({ value, onChange, onBlur, ...rest }: Props) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped((before) => ((parseClock(before) ?? before) === value ? before : value)), [value]);
  return (
    <Input
      {...rest}
      type="text"
      autoComplete="off"
      placeholder="hh:mm"
      maxLength={8}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(parseClock(event.target.value) ?? event.target.value.trim());
      }}
      onBlur={(event) => {
        setTyped(value);
        onBlur?.(event);
      }}
    />
  );
}
