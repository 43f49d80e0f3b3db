import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useMessages } from '../../app/messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { type ActivitySearch, type Agent, PERIODS } from './queries.ts';
import '../../ui/forms/field.css';
import './activity-filters.css';

type Props = { search: ActivitySearch; agents: readonly Agent[]; onSearch: (change: ActivitySearch) => void };
type Filter = {
  key: keyof ActivitySearch;
  name: string;
  /** What it says while it is not set. */
  any: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
};

const RESULTS = ['done', 'failed'] as const;
export const NO_FILTERS: ActivitySearch = { agent: undefined, result: undefined, since: undefined };

/** Chips above the list; on a phone a button within reach of the thumb, and a sheet from the bottom edge. */
export function ActivityFilters(props: Props) {
  const filters = useFilters(props);
  const set = filters.filter(({ value }) => value !== undefined);
  return (
    <>
      <div className="max-md:hidden">
        <FilterBar
          chips={filters.map(({ key, name, value, options, onChange }) => (
            <FilterChip key={key} name={name} value={value} options={options} onChange={onChange} />
          ))}
        />
      </div>
      {set.length > 0 ? <p className="mb-1 text-ink-2 md:hidden">{set.map(labelOf).join(' · ')}</p> : null}
      <FilterSheet filters={filters} count={set.length} onClear={() => props.onSearch(NO_FILTERS)} />
    </>
  );
}

function useFilters({ search, agents, onSearch }: Props): Filter[] {
  const { t } = useMessages();
  return [
    {
      key: 'result',
      name: t('client.result'),
      any: t('client.anyResult'),
      value: search.result,
      options: RESULTS.map((value) => ({ value, label: t(`client.${value}`) })),
      onChange: (value) => onSearch({ result: RESULTS.find((one) => one === value) }),
    },
    {
      key: 'since',
      name: t('client.when'),
      any: t('client.anyTime'),
      value: search.since,
      options: PERIODS.map((value) => ({ value, label: t(`client.${value}`) })),
      onChange: (value) => onSearch({ since: PERIODS.find((one) => one === value) }),
    },
    {
      key: 'agent',
      name: t('client.agent'),
      any: t('client.anyAgent'),
      value: search.agent,
      options: agents.map(({ id, name }) => ({ value: id, label: name })),
      onChange: (agent) => onSearch({ agent }),
    },
  ];
}

type SheetProps = { filters: readonly Filter[]; count: number; onClear: () => void };

/** Each choice applies at once: the list behind follows, and closing is all that is left to do. */
function FilterSheet({ filters, count, onClear }: SheetProps) {
  const { t } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" className="activity-filters-open md:hidden" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SlidersHorizontal className="icon" aria-hidden />
        {count > 0 ? t('client.filtersSet', { count }) : t('client.filters')}
      </button>
      <Dialog open={isOpen} onClose={close} title={t('client.filtersTitle')} sheet>
        <div className="grid gap-4 pt-2">
          {filters.map((filter) => (
            <fieldset key={filter.key}>
              <legend className="field-label">{filter.name}</legend>
              <div className="flex flex-wrap gap-2">
                {[{ value: undefined, label: filter.any }, ...filter.options].map(({ value, label }) => (
                  <label key={label} className="activity-filters-choice">
                    <input
                      type="radio"
                      className="sr-only"
                      name={filter.key}
                      checked={filter.value === value}
                      onChange={() => filter.onChange(value)}
                    />
                    {label}
                  </label>
                ))}
              </div>
            </fieldset>
          ))}
        </div>
        <div className="activity-filters-foot">
          <Button size="lg" kind="quiet" inactive={count === 0} onClick={onClear}>
            {t('client.clearFilters')}
          </Button>
          <Button size="lg" kind="primary" onClick={close}>
            {t('client.showResults')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function labelOf({ value, options }: Filter): string {
  return options.find((option) => option.value === value)?.label ?? value ?? '';
}
