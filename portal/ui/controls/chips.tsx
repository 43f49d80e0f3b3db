import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Listbox, type Option, type OptionSearch, PickerPopover } from '../forms/select.tsx';
import { useUiText } from '../text/reader.ts';
import './chip.css';

type FilterChipProps = {
  name: string;
  value: string | undefined;
  options: readonly Option[];
  onChange: (value: string | undefined) => void;
  /** What the value is called when it is not among the options. */
  chosenName?: string | undefined;
  search?: OptionSearch | undefined;
  /** A value is always set, so it cannot be removed. */
  isRequired?: boolean;
};

/** One filter: dashed with a plus while unset; name, value and a remove button once set. Its state belongs in the URL. */
export function FilterChip({ name, value, options, onChange, chosenName, search, isRequired }: FilterChipProps) {
  const t = useUiText();
  const [open, setOpen] = useState(false);
  const pick = (picked: string): void => {
    setOpen(false);
    onChange(picked);
  };
  const list = <Listbox options={options} value={value} label={name} search={search} onPick={pick} />;
  if (value === undefined) {
    const add = (
      <button type="button" className="chip chip-add" aria-haspopup="listbox">
        <Plus className="icon-small" aria-hidden />
        <span>{name}</span>
      </button>
    );
    return (
      <PickerPopover label={name} open={open} onOpenChange={setOpen} trigger={add}>
        {list}
      </PickerPopover>
    );
  }
  const chosen = options.find((option) => option.value === value)?.label ?? chosenName ?? value;
  return (
    <span className="chip">
      <PickerPopover
        label={name}
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button type="button" aria-haspopup="listbox">
            <span className="chip-name mr-1.5">{name}</span>
            <span className="chip-value truncate">{chosen}</span>
          </button>
        }
      >
        {list}
      </PickerPopover>
      {isRequired ? null : (
        <button type="button" className="chip-remove" aria-label={t('ui.removeFilter', { name })} onClick={() => onChange(undefined)}>
          <X className="icon-small" aria-hidden />
        </button>
      )}
    </span>
  );
}
