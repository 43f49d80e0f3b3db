import { EVENT_TYPES, type EventType } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { eventCatalogueQuery } from '../../queries/event-catalogue.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Checkbox } from '../../ui/forms/field.tsx';
import '../../ui/forms/field.css';

/** Tests are sent by hand, whichever events are chosen. */
const CHOICES = EVENT_TYPES.filter((type) => type !== 'webhook.test');

export type ChosenEvents = { isAll: boolean; events: readonly EventType[] };

export const NO_EVENT = { events: 'Choose at least one event, or all events.' };

/** Returns the choice as the service takes it: an empty list means all. */
export function eventsToSend({ isAll, events }: ChosenEvents): EventType[] {
  return isAll ? [] : [...events];
}

/** Chooses which events an endpoint is sent: all, or some. */
export function EventChoice({
  value,
  onChange,
  error,
}: {
  value: ChosenEvents;
  onChange: (value: ChosenEvents) => void;
  error: string | undefined;
}) {
  const { data } = useQuery(eventCatalogueQuery);
  const { isAll, events } = value;
  const when = (type: EventType): string | undefined => data?.types.find((one) => one.type === type)?.when;
  return (
    <fieldset className="mt-4">
      <legend className="field-label">Events</legend>
      <Segmented
        label="Which events"
        value={isAll ? 'all' : 'some'}
        onChange={(next) => onChange({ isAll: next === 'all', events })}
        options={[
          { value: 'all', label: 'All events' },
          { value: 'some', label: 'Chosen events' },
        ]}
      />
      {isAll ? null : (
        <div className="mt-2">
          {CHOICES.map((type) => (
            <Checkbox
              key={type}
              label={<code>{type}</code>}
              hint={when(type)}
              checked={events.includes(type)}
              onChange={(event) =>
                onChange({ isAll, events: event.target.checked ? [...events, type] : events.filter((one) => one !== type) })
              }
            />
          ))}
        </div>
      )}
      <p className="field-hint" data-bad={error ? '' : undefined} role={error ? 'alert' : undefined}>
        {error ?? (isAll ? 'Also event types that are added later.' : 'Test events are sent as well.')}
      </p>
    </fieldset>
  );
}
