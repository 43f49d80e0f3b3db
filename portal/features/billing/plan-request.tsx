import { FEATURE_NAMES, PLAN_FEATURES, type PlanFeature } from '../../shared/plan-labels.ts';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import '../../ui/forms/field.css';

/** The choice of custom terms in place of a plan. */
export const CUSTOM = 'custom';

export type RequestValues = {
  choice: string | undefined;
  seats: string;
  clients: string;
  credits: string;
  features: readonly PlanFeature[];
  message: string;
};

export const EMPTY_REQUEST: RequestValues = { choice: undefined, seats: '', clients: '', credits: '', features: [], message: '' };

type Props = { values: RequestValues; errors: Record<string, string>; set: (change: Partial<RequestValues>) => void };

/** What the agency needs beyond the plans. */
export function CustomTerms({ values, errors, set }: Props) {
  const number = (name: 'seats' | 'clients' | 'credits') => ({
    'data-field': name,
    type: 'number',
    min: 0,
    value: values[name],
    error: errors[name],
    onChange: (text: string) => set({ [name]: text }),
  });
  return (
    <>
      <div className="grid grid-cols-3 gap-4">
        <TextField label="Clients" {...number('clients')} />
        <TextField label="Seats" {...number('seats')} />
        <TextField label="Credits" {...number('credits')} />
      </div>
      <fieldset>
        <legend className="field-label">Features</legend>
        {FEATURE_NAMES.map((name) => (
          <Checkbox
            key={name}
            label={PLAN_FEATURES[name]}
            checked={values.features.includes(name)}
            onChange={(event) =>
              set({ features: event.target.checked ? [...values.features, name] : values.features.filter((one) => one !== name) })
            }
          />
        ))}
      </fieldset>
    </>
  );
}

/** Returns the request for the API. */
export function toRequest({ choice, seats, clients, credits, features, message }: RequestValues) {
  if (choice !== CUSTOM) return { kind: 'change' as const, ...(choice ? { planId: choice } : {}), message };
  const desired = {
    ...(seats ? { seats: Number(seats) } : {}),
    ...(clients ? { clients: Number(clients) } : {}),
    ...(credits ? { credits: Number(credits) } : {}),
    ...(features.length > 0 ? { features: [...features] } : {}),
  };
  return { kind: 'custom' as const, desired, message };
}
