import { Columns3, List, Rows3 } from 'lucide-react';
import { useMediaQuery, WIDER_THAN_PHONE } from '../hooks/use-media-query.ts';
import { usePreference } from '../hooks/use-preference.ts';
import { Menu } from '../overlays/menu.tsx';
import { Segmented } from '../controls/segmented.tsx';
import type { Column } from './table.tsx';
import '../controls/button.css';

export type TableView = { isDense: boolean; setDense: (dense: boolean) => void; hidden: readonly string[]; toggle: (key: string) => void };

/** Returns the density and columns of a list, which are stored on this device. */
export function useTableView(name: string): TableView {
  const [density, setDensity] = usePreference<'dense' | 'roomy'>(`${name}.density`, 'dense');
  const [columns, setColumns] = usePreference<string>(`${name}.hidden`, '');
  const hidden = columns.split(' ').filter(Boolean);
  const toggle = (key: string): void =>
    setColumns((hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]).join(' '));
  return { isDense: density === 'dense', setDense: (dense) => setDensity(dense ? 'dense' : 'roomy'), hidden, toggle };
}

/** The density switch and the column chooser of a table; a phone has no room for them. `choices` are the columns that can be hidden. */
export function TableTools({ view, choices }: { view: TableView; choices: readonly { key: string; word: string }[] }) {
  const hasRoom = useMediaQuery(WIDER_THAN_PHONE);
  if (!hasRoom) return null;
  return (
    <span className="inline-flex items-center gap-2">
      <Segmented
        label="Density"
        value={view.isDense ? 'dense' : 'roomy'}
        onChange={(value) => view.setDense(value === 'dense')}
        options={[
          { value: 'roomy', name: 'Comfortable rows', label: <Rows3 className="icon-small" aria-hidden /> },
          { value: 'dense', name: 'Dense rows', label: <List className="icon-small" aria-hidden /> },
        ]}
      />
      <Menu
        label="Columns"
        trigger={
          <button type="button" className="button button-small button-square" aria-label="Columns">
            <Columns3 aria-hidden />
          </button>
        }
        items={choices.map(({ key, word }) => ({ label: word, checked: !view.hidden.includes(key), onPick: () => view.toggle(key) }))}
      />
    </span>
  );
}

/** Returns the columns that are not hidden. */
export function shownColumns<Row>(columns: readonly Column<Row>[], view: TableView): Column<Row>[] {
  return columns.filter((column) => !view.hidden.includes(column.key));
}
