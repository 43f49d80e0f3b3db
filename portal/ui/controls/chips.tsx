import { Plus, X } from 'lucide-react';
import { ListPicker, type Option, type OptionSearch } from '../forms/select.tsx';
import { useUiText } from '../text/reader.ts';
import './chip.css';

type FilterChipProps<Value extends string> = {
  name: string;
  value: Value | undefined;
  options: readonly (Option & { value: Value })[];
  onChange: (value: Value | undefined) => void;
  /** What the value is called when it is not among the options. */
  chosenName?: string | undefined;
  search?: OptionSearch | undefined;
  /** A value is always set, so it cannot be removed. */
  isRequired?: boolean;
};

/** One filter: dashed with a plus while unset; name, value and a remove button once set. Its state belongs in the URL. */
export function FilterChip<Value extends string>({
  name,
  value,
  options,
  onChange,
  chosenName,
  search,
  isRequired,
}: FilterChipProps<Value>) {
  const t = useUiText();
  const pick = (picked: string): void => {
    const option = options.find((one) => one.value === picked);
    if (option) onChange(option.value);
  };
  const list = { options, value, label: name, search, onPick: pick };
  if (value === undefined) {
    const add = (
      <button type="button" className="chip chip-add">
        <Plus className="icon-small" aria-hidden />
        <span>{name}</span>
      </button>
    );
    return <ListPicker {...list} trigger={add} />;
  }
  const chosen = options.find((option) => option.value === value)?.label ?? chosenName ?? value;
  return (
    <span className="chip">
      <ListPicker
        {...list}
        trigger={
          <button type="button">
            <span className="chip-name mr-1.5">{name}</span>
            <span className="chip-value truncate">{chosen}</span>
          </button>
        }
      />
      {isRequired ? null : (
        <button type="button" className="chip-remove" aria-label={t('ui.removeFilter', { name })} onClick={() => onChange(undefined)}>
          <X className="icon-small" aria-hidden />
        </button>
      )}
    </span>
  );
}
