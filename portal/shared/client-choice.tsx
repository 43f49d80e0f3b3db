import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { switcherClientsQuery } from '../queries/agency.ts';
import { Checkbox } from '../ui/forms/field.tsx';
import { TextFilter } from '../ui/table/filter-bar.tsx';
import '../ui/forms/field.css';

/** Lists longer than this get a text filter. */
const FILTER_FROM = 8;

type Props = {
  legend: string;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  /** A client that is not offered. */
  except?: string | undefined;
  error?: string | undefined;
  /** Shown beside a client's name. */
  note?: (clientId: string) => ReactNode;
};

/** Chooses some of the agency's clients. Archived ones are not offered. */
export function ClientChoice({ legend, chosen, onChange, except, error, note }: Props) {
  const { data } = useQuery(switcherClientsQuery);
  const [text, setText] = useState<string>();
  const all = (data ?? []).filter((one) => one.status !== 'archived' && one.id !== except);
  const shown = all.filter((one) => !text || one.name.toLowerCase().includes(text.toLowerCase()));
  const areAllChosen = shown.length > 0 && shown.every((one) => chosen.includes(one.id));
  const toggle = (id: string): void => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const toggleAll = (): void => {
    const rest = chosen.filter((id) => !shown.some((one) => one.id === id));
    onChange(areAllChosen ? rest : [...rest, ...shown.map((one) => one.id)].slice(0, LIMITS.bulkRequestMax));
  };
  return (
    <fieldset>
      <legend className="field-label">{legend}</legend>
      <div className="rounded-md border border-line">
        {all.length > FILTER_FROM ? (
          <div className="border-b border-line-soft p-2">
            <TextFilter text={text ?? ''} onText={setText} placeholder="Filter clients" isWide />
          </div>
        ) : null}
        <div className="max-h-[212px] overflow-y-auto px-3 py-1.5">
          {shown.length > 1 ? <Checkbox label={<b>All {shown.length}</b>} checked={areAllChosen} onChange={toggleAll} /> : null}
          {shown.map((one) => (
            <Checkbox
              key={one.id}
              label={
                <>
                  {one.name}
                  {note ? <span className="ml-2 text-xs text-ink-3">{note(one.id)}</span> : null}
                </>
              }
              checked={chosen.includes(one.id)}
              onChange={() => toggle(one.id)}
            />
          ))}
          {data && all.length === 0 ? <p className="py-1 text-ink-3">Add a client first.</p> : null}
          {all.length > 0 && shown.length === 0 ? <p className="py-1 text-ink-3">No client matches “{text}”.</p> : null}
        </div>
      </div>
      {error ? (
        <p className="field-hint" data-bad="">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
