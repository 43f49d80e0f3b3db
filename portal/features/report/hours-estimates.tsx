import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { queryClient } from '../../app/query-client.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { type HoursEstimate, hoursEstimatesQuery } from './queries.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Input } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { minutesOf, parseMinutes } from './minutes.ts';

/** What one run of each agent is thought to save, for all clients of the agency. */
export function HoursEstimates() {
  const estimates = useQuery(hoursEstimatesQuery);
  return (
    <Section title="Time saved by a run" note="whole minutes, for all clients">
      <Loaded query={estimates}>
        {(list) => (
          <ul className="border-t border-line">
            {list.map((one) => (
              <Estimate key={`${one.templateName} ${one.hours}`} estimate={one} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function Estimate({ estimate }: { estimate: HoursEstimate }) {
  const { templateName, title, hours, catalogHours } = estimate;
  const refusal = useRefusal('agency.manage');
  const saved = minutesOf(hours ?? catalogHours);
  const [text, setText] = useState(saved);
  const minutes = parseMinutes(text, LIMITS.hoursPerRunMax * 60);
  const save = useMutation({
    mutationFn: (value: number | null) => api.putHoursEstimate({ params: { templateName }, body: { hours: value } }),
    onSuccess: (record) => {
      queryClient.setQueryData(hoursEstimatesQuery.queryKey, (list) =>
        list?.map((one) => (one.templateName === templateName ? record : one)),
      );
      announce(`${title}: ${minutesOf(record.hours ?? record.catalogHours)} minutes a run.`);
      void refreshAfter('hoursEstimateChanged');
    },
    onError: (error) => announceError(error),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (minutes !== undefined && text !== saved) save.mutate(minutes);
  };
  return (
    <li className="border-b border-line-soft py-1.5">
      <form onSubmit={submit} className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <label className="min-w-0 flex-1" htmlFor={`hours-${templateName}`}>
          <span className="block truncate" title={title}>
            {title}
          </span>
        </label>
        {refusal === undefined ? (
          <Input
            id={`hours-${templateName}`}
            className="w-16 text-right tabular-nums"
            inputMode="numeric"
            autoComplete="off"
            value={text}
            aria-invalid={minutes === undefined}
            onChange={(event) => setText(event.target.value)}
          />
        ) : (
          <span className="tabular-nums">{saved}</span>
        )}
        {refusal === undefined && text !== saved ? (
          <Button size="sm" type="submit" inactive={minutes === undefined} busy={save.isPending && 'Saving'}>
            Save
          </Button>
        ) : null}
        {refusal === undefined && hours !== null && text === saved ? (
          <Button size="sm" kind="quiet" busy={save.isPending && 'Saving'} onClick={() => save.mutate(null)}>
            Use {minutesOf(catalogHours)}
          </Button>
        ) : null}
        {minutes === undefined ? (
          <p role="alert" className="basis-full text-xs text-bad">
            Enter whole minutes from 0 to {LIMITS.hoursPerRunMax * 60}.
          </p>
        ) : null}
      </form>
    </li>
  );
}
