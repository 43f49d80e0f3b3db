import { Checkbox, Field, Input } from '../../ui/forms/field.tsx';
import { TimeInput } from '../../ui/forms/time-input.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { type Rule, WEEKDAYS } from './schedule-text.ts';
import '../../ui/forms/field.css';

type Props = { rule: Rule; onChange: (part: Partial<Rule>) => void; errors: Record<string, string>; isOff: boolean };

const UNITS = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
] as const;

/** Fields for how often, when and on which days a schedule fires. */
export function ScheduleFields({ rule, onChange, errors, isOff }: Props) {
  const toggle = (day: number): void =>
    onChange({
      weekdays: rule.weekdays.includes(day)
        ? rule.weekdays.filter((one) => one !== day)
        : [...rule.weekdays, day].toSorted((a, b) => a - b),
    });
  return (
    <>
      <div>
        <p className="field-label">Every</p>
        <Segmented
          label="Every"
          value={rule.every}
          options={UNITS}
          onChange={(every) =>
            isOff ? undefined : onChange({ every, weekdays: every === 'week' && rule.weekdays.length === 0 ? [1] : rule.weekdays })
          }
        />
      </div>
      {rule.every === 'hour' ? (
        <Field label="Minutes past the hour" error={errors['at']} className="max-w-50">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={0}
              max={59}
              required
              disabled={isOff}
              value={Number(rule.at.slice(3))}
              onChange={(event) =>
                onChange({ at: `00:${String(Math.min(59, Math.max(0, Math.trunc(Number(event.target.value) || 0)))).padStart(2, '0')}` })
              }
            />
          )}
        </Field>
      ) : (
        <Field label="At" error={errors['at']} className="max-w-50">
          {(ids) => <TimeInput {...ids} data-field="at" required disabled={isOff} value={rule.at} onChange={(at) => onChange({ at })} />}
        </Field>
      )}
      <fieldset disabled={isOff}>
        <legend className="field-label">{rule.every === 'week' ? 'On' : 'Only on'}</legend>
        <div className="flex flex-wrap gap-x-5">
          {WEEKDAYS.map((name, index) => (
            <Checkbox
              key={name}
              label={name.slice(0, 3)}
              aria-label={name}
              checked={rule.weekdays.includes(index + 1)}
              onChange={() => toggle(index + 1)}
            />
          ))}
        </div>
        {errors['weekdays'] ? (
          <p className="field-hint" data-bad="">
            {errors['weekdays']}
          </p>
        ) : null}
        {rule.every !== 'week' && rule.weekdays.length === 0 ? <p className="field-hint">No days selected means every day.</p> : null}
      </fieldset>
    </>
  );
}
